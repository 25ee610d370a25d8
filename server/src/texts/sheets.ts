import { formatBytes, formatNumber } from './numbers.ts';

// Why a file cannot become a sheet. Messages in lower case follow the line: "Line 3: more than 200 columns."
export const onLine = (line: number, message: string) => `Line ${formatNumber(line)}: ${message}`;
export const tooManyBytes = (bytes: number) =>
  `The file has more than ${formatNumber(bytes)} bytes.`;
export const tooManyRows = (rows: number) => `more than ${formatNumber(rows)} rows.`;
export const tooManyColumns = (columns: number) => `more than ${formatNumber(columns)} columns.`;
export const tooManyEmptyLines = (lines: number) => `more than ${formatNumber(lines)} empty lines.`;
export const longRecord = (bytes: number) =>
  `the record has more than ${formatNumber(bytes)} bytes.`;
export const longCell = (column: string, bytes: number) =>
  `the cell in “${column}” has more than ${formatNumber(bytes)} bytes.`;
export const tooMuchStorage = (bytes: number) =>
  `the sheet needs more than ${formatNumber(bytes)} bytes of storage.`;
export const tooMuchMemory = 'The file needs more memory to read than is available.';
export const openQuote = 'the quote that opens here is never closed.';
export const openQuotePast = (bytes: number) =>
  `the quote that opens here is not closed within ${formatNumber(bytes)} bytes.`;
export const noRows = 'The file has no rows.';
export const unknownEncoding = (label: string) => `“${label}” is not a supported encoding.`;
export const badDelimiter = 'The delimiter must be one character other than a quote or a line end.';
export const otherFormat = (what: string) => `This is ${what}. Save it as CSV and upload that.`;
export const notText = 'This is not a text file. Save your sheet as CSV and upload that.';
export const unreadable = 'This file could not be read.';
export const uploadCancelled = 'The upload was cancelled.';

// What the import report says about cells and rows that had to be changed
export const ragged = (cells: number, columns: number) =>
  `The row has ${formatNumber(cells)} cells; the sheet has ${formatNumber(columns)} columns.`;
export const strayQuote = 'Unexpected quote, kept as text.';
export const invalidCharacter = 'A character is not valid in this encoding and shows as “\ufffd”.';
export const unnamedColumn = (column: number) => `Column ${column} has no name.`;
export const duplicateName = (name: string) => `Another column is already named “${name}”.`;
export const emptyLines = (count: number) => `Empty lines skipped: ${formatNumber(count)}.`;
export const blankRows = (count: number) => `Blank rows: ${formatNumber(count)}.`;
export const nulCharacters = (count: number) => `NUL characters removed: ${formatNumber(count)}.`;

export const usedByBatch =
  'A batch already uses this sheet. Upload the file again to read it differently.';
export const confirmDialectFirst = 'Confirm how to read this file first.';

// The storage of a person
export const deleted = 'The sheet is deleted.';
export const deleteBatchesFirst =
  'A batch uses this sheet. Delete the batch first; its sheet goes with it.';
export const quotaReached = (used: number, quota: number) =>
  `This does not fit: your sheets and answers take ${formatBytes(used)} of your ${formatBytes(quota)}. Delete sheets or batches that you no longer need and try again.`;
