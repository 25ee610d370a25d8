import { expect, it } from 'vitest';
import { SheetOnDisk } from '../../../../harness/test-sheet.ts';
import { ThreadFile } from '../../thread-file.ts';
import { readDistinctiveLines } from './distinctive-lines.ts';

async function linesOf(content: Buffer): Promise<string> {
  await using disk = await SheetOnDisk.of(content);
  using source = new ThreadFile(disk.source, 'r');
  return (await readDistinctiveLines(source)).toString('latin1');
}

it('takes lines with letters that were not seen twice, and none that is cut or very long', async () => {
  const long = 'ü'.repeat(5_000);
  const lines = ['first ä', 'one ö', 'plain', long, 'two ö', 'three ö', 'four é', 'last à'];
  expect(await linesOf(Buffer.from(lines.join('\n'), 'latin1'))).toBe('one ö\ntwo ö\nfour é\n');
});

it('looks at each byte of a very long line once', async () => {
  const before = process.threadCpuUsage();
  expect(await linesOf(Buffer.alloc(4_000_000, 0xff))).toBe('');
  const { user, system } = process.threadCpuUsage(before);
  // Of CPU time, which other work does not change. Searching its ends for each byte took 20 s.
  expect((user + system) / 1_000).toBeLessThan(2_000);
});
