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
    'an old workbook',
    { name: 'a.XLS', size: 10 },
    'a.XLS can’t be read. Save it as XLSX or CSV in your spreadsheet program and upload that.',
  ],
  [
    'an OpenDocument sheet',
    { name: 'a.ods', size: 10 },
    'a.ods can’t be read. Save it as XLSX or CSV in your spreadsheet program and upload that.',
  ],
  [
    'a PDF file',
    { name: 'a.pdf', size: 10 },
    'a.pdf is not a table. Upload the table as XLSX or CSV.',
  ],
  [
    'an archive',
    { name: 'a.zip', size: 10 },
    'a.zip is an archive. Unpack it and upload the sheet inside.',
  ],
])('refuses %s before sending it', (_, file, problem) => {
  expect(uploadProblem(file, 200_000_000)).toBe(problem);
});
