import { expect, it } from 'vitest';
import { objectionTo } from './upload.ts';

it.each([
  ['an ordinary file', { name: 'a.csv', size: 10 }, null],
  ['a file without an ending', { name: 'list', size: 10 }, null],
  ['the largest file', { name: 'a.csv', size: 200 * 1024 * 1024 }, null],
  [
    'a larger file',
    { name: 'a.csv', size: 200 * 1024 * 1024 + 1 },
    'a.csv is larger than 200 MB. Split it, and upload the parts.',
  ],
  [
    'an empty file',
    { name: 'a.csv', size: 0 },
    'a.csv is empty. Choose a file with at least one row.',
  ],
  [
    'a workbook',
    { name: 'a.XLSX', size: 10 },
    'a.XLSX is a workbook. Save its sheet as CSV, and upload that.',
  ],
])('judges %s', (_, file, objection) => {
  expect(objectionTo(file)).toBe(objection);
});
