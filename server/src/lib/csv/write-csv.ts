/** Spreadsheets run cells that start like this as formulas, even after spaces and quotes. */
const formula = /^[\s"'“”‘’]*[=+\-@\t\r＝＋－＠]/;
const pureNumber = /^[+-]?\d+([.,]\d+)?$/;
/** Neither a formula nor anything to quote, unless the delimiter is one of these characters. One test covers most cells. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N} .:/()_-]*$/u;
/** In longer cells, searching for single characters is faster than that test. */
const shortLength = 64;

/** A line of RFC 4180. Cells that a spreadsheet would run as a formula get an apostrophe. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  // Readers skip an empty line.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}

function csvCell(cell: string, delimiter: string): string {
  if (cell.length <= shortLength && plain.test(cell) && !cell.includes(delimiter)) return cell;
  const safe = formula.test(cell) && !pureNumber.test(cell) ? `'${cell}` : cell;
  return needsQuotes(safe, delimiter) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function needsQuotes(cell: string, delimiter: string): boolean {
  return (
    cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r')
  );
}
