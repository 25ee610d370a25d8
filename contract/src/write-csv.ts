/** Spreadsheets run cells that start like this as formulas, even after spaces and quotes. */
const formula = /^[\s"'“”‘’]*[=+\-@\t\r＝＋－＠]/;
/** Where a spreadsheet with other settings than ours may split a cell. */
const separator = /([;\t|\r\n])/;
const pureNumber = /^[+-]?\d+([.,]\d+)?$/;
/** Neither a formula nor a cell to quote, except for its delimiter. Covers most cells. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N} .:/()_-]*$/u;
/** In longer cells, searching for single characters is faster than that test. */
const shortLength = 64;

export interface CsvStyle {
  delimiter: string;
  quote: string;
  /** Quotes every cell. */
  quotesAll: boolean;
}

/** Counts the cells that got an apostrophe. */
export interface CsvChanges {
  apostrophes: number;
}

/** Excel reads a file as UTF-8 only when it begins with this. */
export const byteOrderMark = '\ufeff';

/** A line of RFC 4180. Cells that a spreadsheet would run as a formula get an apostrophe. */
export function csvLine(cells: readonly string[], delimiter = ',', changes?: CsvChanges): string {
  return `${csvCells(cells, { delimiter, quote: '"', quotesAll: false }, changes)}\r\n`;
}

/** The same without a line end. */
export function csvCells(cells: readonly string[], style: CsvStyle, changes?: CsvChanges): string {
  // Readers skip an empty line.
  if (cells.length === 1 && cells[0] === '') return style.quote + style.quote;
  return cells.map((cell) => csvCell(cell, style, changes)).join(style.delimiter);
}

function csvCell(cell: string, style: CsvStyle, changes?: CsvChanges): string {
  const { delimiter, quote, quotesAll } = style;
  const isPlain = cell.length <= shortLength && plain.test(cell) && !cell.includes(delimiter);
  if (isPlain && !quotesAll) return cell;
  const safe = escapeFormula(cell, separator.test(cell) ? escapeInnerFormulas(cell) : cell);
  if (changes && safe !== cell) changes.apostrophes += 1;
  return quotesAll || needsQuotes(safe, style)
    ? `${quote}${safe.replaceAll(quote, quote + quote)}${quote}`
    : safe;
}

function escapeFormula(cell: string, written = cell): string {
  return formula.test(cell) && !pureNumber.test(cell) ? `'${written}` : written;
}

/** Each part is looked at once, so a long run of separators costs no more than other text. */
function escapeInnerFormulas(cell: string): string {
  const parts = cell.split(separator);
  // Every second part is a separator.
  return parts.map((part, n) => (n > 0 && n % 2 === 0 ? escapeFormula(part) : part)).join('');
}

function needsQuotes(cell: string, { delimiter, quote }: CsvStyle): boolean {
  return (
    cell.includes(delimiter) || cell.includes(quote) || cell.includes('\n') || cell.includes('\r')
  );
}
