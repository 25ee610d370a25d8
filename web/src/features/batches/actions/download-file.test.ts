import { expect, it } from 'vitest';
import { parseFileName, resultsName } from './download-file.ts';

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

it.each([
  ['goods.tsv', 'xlsx', 'goods-answers.xlsx'],
  ['goods.tsv', 'excel', 'goods-answers.csv'],
  ['goods.tsv', 'unchanged', 'goods-answers.tsv'],
  ['Autumn v1.2', 'unchanged', 'Autumn v1.2-answers.csv'],
  ['Autumn v1.2', 'jsonl', 'Autumn v1.2-answers.jsonl'],
] as const)('suggests for the batch %s as %s the name %s', (name, format, suggested) => {
  expect(resultsName(name, format)).toBe(suggested);
});
