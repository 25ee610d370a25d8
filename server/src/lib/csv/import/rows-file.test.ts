import { expect, it } from 'vitest';
import { readRows, SheetOnDisk, usualLimits } from '../../../../harness/test-sheet.ts';
import { ThreadFile } from '../../thread-file.ts';
import { rowsPerBlock } from '../sheet.ts';
import { importFile } from './import-file.ts';
import { RowsWriter } from './rows-writer.ts';

const rowOf = (index: number) => [`${index}`, `日${'x'.repeat(index % 300)}\n"${index}"`];

it.each([1, 255, 256, 257, 512, 1000])(
  'finds the blocks of %i rows by their offsets',
  async (count) => {
    const lines = Array.from({ length: count }, (_, index) => rowOf(index));
    const text = lines.map(([id, cell = '']) => `${id},"${cell.replaceAll('"', '""')}"\n`).join('');
    await using disk = await SheetOnDisk.of(`id,text\n${text}`);
    const { source, target } = disk;
    const { offsets, rows, sample } = await importFile({ source, target, limits: usualLimits });
    expect(rows).toBe(count);
    expect(sample).toEqual(lines.slice(0, 20));
    expect(offsets).toHaveLength(Math.ceil(count / rowsPerBlock) + 1);
    for (const [block, from] of offsets.slice(0, -1).entries()) {
      const start = block * rowsPerBlock;
      const found = await readRows(target, { from, to: offsets[block + 1] ?? 0 });
      expect(found).toEqual(lines.slice(start, start + rowsPerBlock));
    }
  },
);

it('counts the filled cells of each column, and the characters of the longest', async () => {
  await using disk = await SheetOnDisk.of('id,text,note\n1,日本,\n2,"  ",\n3,ab c,\n4,,x\n');
  const { source, target } = disk;
  const { columnSizes } = await importFile({ source, target, limits: usualLimits });
  expect(columnSizes).toEqual([
    { filled: 4, longest: 1 },
    { filled: 2, longest: 4 },
    { filled: 1, longest: 1 },
  ]);
});

it('reads no rows from an empty range, and reports a file that is too short', async () => {
  await using disk = await SheetOnDisk.of('["a"]\n');
  expect(await readRows(disk.source, { from: 6, to: 6 })).toEqual([]);
  await expect(readRows(disk.source, { from: 0, to: 9 })).rejects.toThrow('ends before byte 9');
});

it('ends before the disk is full, however small the uploaded file was', async () => {
  await using disk = await SheetOnDisk.of('');
  using target = new ThreadFile(disk.target, 'w');
  const asked: number[] = [];
  const writer = new RowsWriter(target, async (bytes) => asked.push(bytes) < 3);
  const write = async () => {
    for (;;) {
      for (let row = 0; row < 10; row += 1) writer.add(['x'.repeat(100_000)]);
      await writer.drain();
    }
  };
  await expect(write()).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(asked.map((bytes) => Math.floor(bytes / 1_000_000))).toEqual([5, 5, 5]);
  expect((await target.stat()).size).toBeLessThan(15_000_000);
});
