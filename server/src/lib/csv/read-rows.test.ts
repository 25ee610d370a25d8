import { expect, it } from 'vitest';
import { importFile, rowsPerSlice } from './import-file.ts';
import { readRows } from './read-rows.ts';
import { roomyLimits, SheetOnDisk } from './sheet-on-disk.ts';

const rowOf = (index: number) => [`${index}`, `日${'x'.repeat(index % 300)}\n"${index}"`];

it.each([1, 255, 256, 257, 512, 1000])(
  'the slices of %i rows are found by their offsets',
  async (count) => {
    const lines = Array.from({ length: count }, (_, index) => rowOf(index));
    const text = lines.map(([id, cell = '']) => `${id},"${cell.replaceAll('"', '""')}"\n`).join('');
    await using disk = await SheetOnDisk.of(`id,text\n${text}`);
    const { source, target } = disk;
    const { offsets, rows, sample } = await importFile({ source, target, limits: roomyLimits });
    expect(rows).toBe(count);
    expect(sample).toEqual(lines.slice(0, 20));
    expect(offsets).toHaveLength(Math.ceil(count / rowsPerSlice) + 1);
    for (const [slice, from] of offsets.slice(0, -1).entries()) {
      const start = slice * rowsPerSlice;
      const found = await readRows(target, { from, to: offsets[slice + 1] ?? 0 });
      expect(found).toEqual(lines.slice(start, start + rowsPerSlice));
    }
  },
);

it('no bytes are no rows, and a file that is too short is told', async () => {
  await using disk = await SheetOnDisk.of('["a"]\n');
  expect(await readRows(disk.source, { from: 6, to: 6 })).toEqual([]);
  await expect(readRows(disk.source, { from: 0, to: 9 })).rejects.toThrow('ends before byte 9');
});
