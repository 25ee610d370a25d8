/** A spreadsheet runs what starts so as a formula, whether or not spaces and quotes stand before it. */
const formula = /^[\s"'“”‘’]*[=+\-@\t\r＝＋－＠]/;
const pureNumber = /^[+-]?\d+([.,]\d+)?$/;
/** No formula, and nothing to quote with any delimiter but a letter or digit: most cells, at the cost of one test. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N} .:/()_-]*$/u;
/** In a longer one, searches for single characters are faster than that test. */
const shortLength = 64;

/** A line of RFC 4180 whose cells a spreadsheet takes as text. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  // An empty line would be no row at all.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}

function csvCell(cell: string, delimiter: string): string {
  if (cell.length <= shortLength && plain.test(cell) && !cell.includes(delimiter)) return cell;
  const harmless = formula.test(cell) && !pureNumber.test(cell) ? `'${cell}` : cell;
  return needsQuotes(harmless, delimiter) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function needsQuotes(cell: string, delimiter: string): boolean {
  return (
    cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r')
  );
}
