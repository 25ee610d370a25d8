/** Spreadsheets run cells that start like this as formulas, even after spaces and quotes. */
const formula = /^[\s"'“”‘’]*[=+\-@\t\r＝＋－＠]/;
/** Where a spreadsheet with other settings than ours may split a cell. */
const separator = /([;\t|\r\n])/;
const pureNumber = /^[+-]?\d+([.,]\d+)?$/;
/** Neither a formula nor anything to quote, unless the delimiter is one of these characters. One test covers most cells. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N} .:/()_-]*$/u;
/** In longer cells, searching for single characters is faster than that test. */
const shortLength = 64;

/** A line of RFC 4180. Cells, and parts of cells, that a spreadsheet would run as a formula get an apostrophe. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  // Readers skip an empty line.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}

function csvCell(cell: string, delimiter: string): string {
  if (cell.length <= shortLength && plain.test(cell) && !cell.includes(delimiter)) return cell;
  const safe = disarm(cell, separator.test(cell) ? disarmInner(cell) : cell);
  return needsQuotes(safe, delimiter) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function disarm(cell: string, written = cell): string {
  return formula.test(cell) && !pureNumber.test(cell) ? `'${written}` : written;
}

/** Each part is looked at once, so a long run of separators costs no more than other text. */
function disarmInner(cell: string): string {
  const parts = cell.split(separator);
  // Every second part is a separator.
  return parts.map((part, n) => (n > 0 && n % 2 === 0 ? disarm(part) : part)).join('');
}

function needsQuotes(cell: string, delimiter: string): boolean {
  return (
    cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r')
  );
}
