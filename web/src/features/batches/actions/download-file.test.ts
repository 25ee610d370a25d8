import { expect, it } from 'vitest';
import { parseFileName } from './download-file.ts';

it.each([
  [null, null],
  ['attachment', null],
  ['attachment; filename=plain.csv', 'plain.csv'],
  ['attachment; filename="two words.csv"', 'two words.csv'],
  ['attachment; filename="a \\"b\\".csv"', 'a "b".csv'],
  ['attachment; filename="menu.csv"; filename*=UTF-8\'\'men%C3%BC.csv', 'menü.csv'],
  ['attachment; filename="menu.csv"; filename*=UTF-8\'\'men%', 'menu.csv'],
])('finds in the header %s the file name %s', (header, name) => {
  expect(parseFileName(header)).toBe(name);
});
