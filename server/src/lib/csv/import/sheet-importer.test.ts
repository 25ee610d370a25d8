import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readRows, refusalOf, SheetOnDisk, usualLimits } from '../../../../harness/test-sheet.ts';
import { TurnRefused } from '../../turns.ts';
import { SheetImporter } from './sheet-importer.ts';

const importer = new SheetImporter({ perPerson: 1 });
const million = 1_000_000;
const hostile: [name: string, content: string, kind: string, line: number][] = [
  ['64 MB after an opening quote', `a,b\n1,"${'x\n'.repeat(32 * million)}`, 'unreadable', 2],
  ['a million commas', ','.repeat(million), 'too_large', 1],
  ['commas spread over lines', `a,b\n${`${','.repeat(999)}\n`.repeat(1000)}`, 'too_large', 2],
  ['10 million empty lines', '\n'.repeat(10 * million), 'too_large', million + 1],
  ['10 million carriage returns', `a${'\r'.repeat(10 * million)}`, 'too_large', million + 2],
  ['one row too many', `a,b\n${'1,2\n'.repeat(million + 1)}`, 'too_large', million + 2],
  ['64 MB of quotes', '"'.repeat(64 * million), 'unreadable', 1],
  ['64 MB without a line end', 'x'.repeat(64 * million), 'too_large', 1],
];

describe('importing in a worker', () => {
  it('reads small sheets in the thread that was started for them', async () => {
    let started = 0;
    const count = () => {
      started++;
    };
    process.on('worker', count);
    const keeping = new SheetImporter({ perPerson: 1 });
    keeping.prepare();
    for (const rows of [1, 2, 3]) {
      await using disk = await SheetOnDisk.of(`a;b\n${'1;2\n'.repeat(rows)}`);
      const { source, target } = disk;
      const sheet = await keeping.import('a person', { source, target, limits: usualLimits });
      expect(sheet.rows).toBe(rows);
    }
    process.off('worker', count);
    expect(started).toBe(1);
  });

  it('returns the sheet and writes its rows', async () => {
    await using disk = await SheetOnDisk.of('a;b\n1;é\n');
    const { source, target } = disk;
    const sheet = await importer.import('a person', {
      source,
      target,
      limits: usualLimits,
      dialect: { header: true },
    });
    expect(sheet).toMatchObject({
      columns: ['a', 'b'],
      rows: 1,
      isSure: true,
      dialect: { delimiter: ';' },
    });
    expect(await readRows(target, { from: 0, to: sheet.offsets.at(-1) ?? 0 })).toEqual([
      ['1', 'é'],
    ]);
  });

  it.each(hostile)(
    'refuses %s and deletes the target',
    { timeout: 60_000 },
    async (_, content, kind, line) => {
      await using disk = await SheetOnDisk.of(content);
      const { source, target } = disk;
      expect(
        await refusalOf(importer.import('a person', { source, target, limits: usualLimits })),
      ).toMatchObject({ kind, line });
      expect(existsSync(target)).toBe(false);
    },
  );

  it('refuses a file that takes too much time to read', async () => {
    const hasty = new SheetImporter({ perPerson: 1 }, { quick: 0.1, usual: 0.1, slow: 0.1 });
    await using disk = await SheetOnDisk.of(`${'a,b,c,d,e,f,g,h\n'.repeat(4 * million)}`);
    const { source, target } = disk;
    const limits = { ...usualLimits, rows: 4 * million };
    const refusal = await refusalOf(hasty.import('a person', { source, target, limits }));
    expect(refusal).toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(/takes too long/),
    });
    expect(existsSync(target)).toBe(false);
  });

  it('reads a small file before slow ones, which start again', async () => {
    const places = new SheetImporter({ perPerson: 1 }, { quick: 0.1, usual: 120, slow: 120 });
    await using large = await SheetOnDisk.of(`a;b;c\n${'1;2;3\n'.repeat(million / 2)}`);
    await using huge = await SheetOnDisk.of('1;2;3\n'.repeat(32 * million));
    await using small = await SheetOnDisk.of('a;b\n1;2\n');
    const limits = { ...usualLimits, bytes: 1e9, rows: 64 * million };
    const left = new AbortController();
    const done: string[] = [];
    const read = async (person: string, { source, target }: SheetOnDisk, signal?: AbortSignal) => {
      const input = { source, target: `${target}-${person}`, limits };
      const { rows } = await places.import(person, input, signal);
      done.push(person);
      return rows;
    };
    const longest = ['a', 'b'].map((person) => read(person, huge, left.signal));
    const others = ['c', 'd'].map((person) => read(person, large));
    expect(await read('e', small)).toBe(1);
    expect(done).toEqual(['e']);
    left.abort();
    for (const one of await Promise.allSettled(longest))
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(TurnRefused) });
    expect(existsSync(`${huge.target}-a`)).toBe(false);
    expect(await Promise.all(others)).toEqual([million / 2, million / 2]);
    const again = ['a', 'b', 'c', 'd'].map((person) => read(person, small));
    expect(await Promise.all(again)).toEqual([1, 1, 1, 1]);
  });

  it('refuses a sparse gigabyte by its size and a smaller one by its first bytes', async () => {
    await using disk = await SheetOnDisk.of('');
    const { source, target } = disk;
    await truncate(source, 1024 ** 3);
    expect(
      await refusalOf(importer.import('a person', { source, target, limits: usualLimits })),
    ).toMatchObject({ kind: 'too_large' });
    await truncate(source, 100 * million);
    expect(
      await refusalOf(importer.import('a person', { source, target, limits: usualLimits })),
    ).toMatchObject({ kind: 'not_a_sheet' });
  });

  it('passes on an error that is not a refusal', async () => {
    await using disk = await SheetOnDisk.of('a\nb\n');
    const missing = importer.import('a person', {
      source: `${disk.source}.gone`,
      target: disk.target,
      limits: usualLimits,
    });
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is unavailable while no thread can be started, and the process runs on', () => {
    const program = `
      import { SheetImporter } from ${JSON.stringify(import.meta.resolve('./sheet-importer.ts'))};
      const importer = new SheetImporter({ perPerson: 1 });
      importer.prepare();
      const order = { source: process.execPath, target: 'none' };
      await importer.import('a person', order).catch(({ message }) => console.log(message));`;
    // Threads are not among what this permits.
    const permissions = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*'];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...permissions, '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    );
    expect(stdout, stderr).toBe('the import could not start\n');
  });
});
