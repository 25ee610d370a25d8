import { expect, it } from 'vitest';
import { cellAt } from './scanned-row.ts';

it.each([
  [['a', 'b', 'c']],
  [['', '', 'x']],
  [['']],
  [[]],
  [['a,b', 'c,', ',d']],
  [['a "b"', '","', 'c\\']],
  [['Zürich', '名前', '😀', ' ']],
])('a cell is read from the line of %j', (cells) => {
  const line = JSON.stringify(cells);
  for (let index = 0; index < cells.length + 2; index++)
    expect(cellAt(line, index)).toBe(cells[index] ?? '');
});
