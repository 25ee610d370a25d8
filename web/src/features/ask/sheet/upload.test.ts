import { expect, it } from 'vitest';
import { uploadProblem } from './upload.ts';

it.each([
  ['an ordinary file', { name: 'a.csv', size: 10 }],
  ['a file without an extension', { name: 'list', size: 10 }],
  ['a file of the maximum size', { name: 'a.csv', size: 200_000_000 }],
])('accepts %s', (_, file) => {
  expect(uploadProblem(file, 200_000_000)).toBeNull();
});

it.each([
  [
    'a file over the maximum size',
    { name: 'a.csv', size: 200_000_001 },
    'a.csv is larger than 200 MB. Split it and upload the parts.',
  ],
  [
    'an empty file',
    { name: 'a.csv', size: 0 },
    'a.csv is empty. Choose a file with at least one row.',
  ],
  [
    'a workbook',
    { name: 'a.XLSX', size: 10 },
    'a.XLSX is a workbook. Save the sheet as CSV and upload that.',
  ],
])('refuses %s before sending it', (_, file, problem) => {
  expect(uploadProblem(file, 200_000_000)).toBe(problem);
});
