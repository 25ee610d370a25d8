import { formatBytes, formatNumber } from './numbers.ts';

// Why a file cannot be read, and what to do. Lower-case messages follow the line: "Line 3: the
// quote that opens here is never closed."
export const onLine = (line: number, message: string) => `Line ${formatNumber(line)}: ${message}`;
export const tooManyBytes = (bytes: number) =>
  `The file has more than ${formatNumber(bytes)} bytes. Split it and upload the parts.`;
export const tooManyRows = (rows: number) =>
  `more than ${formatNumber(rows)} rows. Split the sheet and upload the parts.`;
export const tooManyColumns = (columns: number) =>
  `more than ${formatNumber(columns)} columns. Delete those that your prompt does not need and upload the sheet again.`;
export const tooManyEmptyLines = (lines: number) =>
  `more than ${formatNumber(lines)} empty lines. Delete them and upload the sheet again.`;
export const longRecord = (bytes: number) =>
  `the record has more than ${formatNumber(bytes)} bytes. Shorten its cells and upload the sheet again.`;
export const longCell = (column: string, bytes: number) =>
  `the cell in “${column}” has more than ${formatNumber(bytes)} bytes. Shorten it and upload the sheet again.`;
export const tooMuchStorage = (bytes: number) =>
  `the sheet needs more than ${formatNumber(bytes)} bytes of storage. Split it and upload the parts.`;
export const tooMuchMemory =
  'The file needs more memory to read than is available. Split it and upload the parts.';
export const tooMuchTime =
  'The file takes too long to read. Save it again without its formats, or as CSV.';
export const openQuote =
  'the quote that opens here is never closed. Close or delete it and upload the sheet again.';
export const openQuotePast = (bytes: number) =>
  `the quote that opens here is not closed within ${formatNumber(bytes)} bytes. Close or delete it and upload the sheet again.`;
export const jsonDocument =
  'This is JSON, not a table. Upload CSV, XLSX or JSON Lines, with one object per line.';
export const jsonNotUtf8 = 'This is JSON in UTF-16. Save it as UTF-8 and upload that.';
export const notAJsonObject =
  'this is not a JSON object like the lines before. Correct the line and upload the sheet again.';
export const noRows = 'The file has no rows. Add some and upload it again.';
export const onlyHeader =
  'The file has no rows below the names of its columns. Add some and upload it again.';
export const unknownEncoding = (label: string) => `“${label}” is not a supported encoding.`;
export const badDelimiter = 'The delimiter must be one character other than a quote or a line end.';
export const otherFormat = (what: string) =>
  `This is ${what}. Save the table in it as XLSX or CSV and upload that.`;
export const notText =
  'This is neither a workbook nor a text file. Save your sheet as XLSX or CSV and upload that.';
// Why a workbook cannot become a sheet
export const damagedWorkbook =
  'This workbook is damaged. Open it in your spreadsheet program, save it again and upload that.';
export const notAWorkbook =
  'This is not a workbook, although its name says so. Open it in your spreadsheet program, save it as XLSX and upload that.';
export const damagedArchive =
  'This is a damaged workbook or another kind of archive. Save the sheet again as XLSX or CSV and upload that.';
export const workbookWithoutPart = (path: string) =>
  `This workbook is damaged: its part “${path.slice(0, 100)}” is missing. Open it in your spreadsheet program, save it again and upload that.`;
export const lockedWorkbook = 'This workbook has a password. Save it without one and upload that.';
export const workbookTooLarge =
  'This workbook unpacks to far more data than a sheet can hold. Save the sheet as CSV and upload that.';
export const workbookWithEntities =
  'This workbook refers to data outside it, which we do not read. Save it again as XLSX and upload that.';
export const workbookWithoutSheet =
  'This workbook has no sheet with rows. Add some and upload it again.';
export const openDocument =
  'This is an OpenDocument file. Save it as XLSX or CSV in your spreadsheet program and upload that.';
export const binaryWorkbook =
  'This is a binary workbook (XLSB). Save it as XLSX in Excel and upload that.';
export const zipArchive = 'This is a ZIP archive. Unpack it and upload the sheet inside.';
export const otherOfficeFile =
  'This is an Office document, not a workbook. Save its table as XLSX or CSV and upload that.';
export const noSuchWorksheet = 'The workbook has no such sheet.';
export const unreadable =
  'This file could not be read. Save your sheet as XLSX or CSV and upload that.';
export const uploadCancelled = 'The upload was cancelled.';

// What the import report says about cells and rows that had to be changed
export const ragged = (cells: number, columns: number) =>
  cells < columns
    ? `${formatNumber(cells)} ${cells === 1 ? 'cell' : 'cells'} instead of ${formatNumber(columns)}; the missing ones are empty.`
    : `${formatNumber(cells)} cells instead of ${formatNumber(columns)}; the extra ones are joined to the last one.`;
export const strayQuote = 'Unexpected quote, kept as text.';
export const invalidCharacter = 'A character is not valid in this encoding and shows as “\ufffd”.';
export const unnamedColumn = 'This column has no name.';
export const duplicateName = (name: string) => `Another column is already named “${name}”.`;
export const headerWidth = (cells: number, columns: number) =>
  `The header has ${formatNumber(cells)} cells; the rows have ${formatNumber(columns)}. Check that each name is above its column.`;
export const surplusCell =
  'One extra empty cell, left out so that the others are in their columns.';
export const headerRows = (count: number) =>
  `The names of the columns come from ${formatNumber(count)} rows.`;
export const headerGuess = (name: string) =>
  `“${name}” is the name of the column and gets no answer.`;
export const titleRows = (count: number) =>
  `Rows above the table, left out: ${formatNumber(count)}.`;
export const commentLines = (count: number) => `Comment lines left out: ${formatNumber(count)}.`;
export const headersAgain = (count: number) => `Repeated headers left out: ${formatNumber(count)}.`;
export const emptyLines = (count: number) => `Empty lines skipped: ${formatNumber(count)}.`;
export const blankRows = (count: number) =>
  count === 1
    ? 'This row is empty. It is skipped and costs nothing.'
    : `${formatNumber(count)} empty rows from here on. They are skipped and cost nothing.`;
export const mergedCells = (count: number) =>
  `Merged cells: ${formatNumber(count)}. Each value stays in its first cell, the others are empty.`;
export const formulasWithoutResult = (count: number) =>
  `Formulas without a result, read as empty: ${formatNumber(count)}. Open the workbook in your spreadsheet program, save it and upload it again.`;
export const nulCharacters = (count: number) => `NUL characters removed: ${formatNumber(count)}.`;

export const usedByBatch =
  'A batch already uses this sheet. Upload the file again to read it differently.';
export const revisedMeanwhile =
  'This sheet was just read in another way. Check its columns and try again.';
export const confirmDialectFirst = 'Confirm how to read this file first.';

// The storage of a person
export const deleted = 'The sheet is deleted.';
export const deleteBatchesFirst =
  'A batch uses this sheet. Delete the batch first; its sheet goes with it.';
export const quotaReached = (used: number, quota: number) =>
  `This does not fit: your sheets and answers take ${formatBytes(used)} of your ${formatBytes(quota)}. Delete sheets or batches that you no longer need and try again.`;
