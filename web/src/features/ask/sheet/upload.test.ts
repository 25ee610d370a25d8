import { expect, it } from 'vitest';
import { uploadProblem } from './upload.ts';

it.each([
  ['an ordinary file', { name: 'a.csv', size: 10 }],
  ['a workbook', { name: 'a.XLSX', size: 10 }],
  ['a file without an extension', { name: 'list', size: 10 }],
  ['a file of the maximum size', { name: 'a.csv', size: 200_000_000 }],
])('accepts %s', (_, file) => {
  expect(uploadProblem(file, 200_000_000)).toBeNull();
});

const convert =
  'can’t be read. Save it as XLSX or CSV in your spreadsheet program and upload that.';
it.each([
  [
    'a file over the maximum size',
    'a.csv',
    'is larger than 200 MB. Split it and upload the parts.',
  ],
  ['an empty file', 'empty.csv', 'is empty. Choose a file with at least one row.'],
  ['an old workbook', 'a.XLS', convert],
  ['an OpenDocument sheet', 'a.ods', convert],
  ['a PDF file', 'a.pdf', 'is not a table. Upload the table as XLSX or CSV.'],
  ['an archive', 'a.zip', 'is an archive. Unpack it and upload the sheet inside.'],
])('refuses %s before sending it', (_, name, problem) => {
  const size = { 'a.csv': 200_000_001, 'empty.csv': 0 }[name] ?? 10;
  expect(uploadProblem({ name, size }, 200_000_000)).toBe(`${name} ${problem}`);
});
