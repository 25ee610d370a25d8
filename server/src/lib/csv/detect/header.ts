const numeric = /^[+-]?\d[\d.,\s]*%?$/;
const address = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$|^https?:\/\//i;
const maximumNameLength = 60;

/** The first row is a header unless it looks like data. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const [only = '', ...more] = cells;
  if (more.length === 0 && looksLikePrompt(only)) return false;
  return !cells.some((cell) => looksLikeData(cell.trim()));
}

export function looksLikePrompt(line: string): boolean {
  const text = line.trim();
  return text.length > maximumNameLength || endsSentence(text);
}

function looksLikeData(cell: string): boolean {
  if (cell.length > maximumNameLength && endsSentence(cell)) return true;
  return numeric.test(cell) || address.test(cell);
}

function endsSentence(text: string): boolean {
  return /[?.!？。！]$/.test(text);
}
