const numeric = /^[+-]?\d[\d.,\s]*%?$/;
const address = /^\S+@\S+\.\S+$|^https?:\/\//i;
/** The pattern of an address takes the square of the length to fail. */
const longestAddress = 320;
const longestName = 60;

/** The first row names the columns unless it looks like data. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const [only = '', ...more] = cells;
  if (more.length === 0 && looksLikePrompt(only)) return false;
  return !cells.some((cell) => looksLikeData(cell.trim()));
}

export function looksLikePrompt(line: string): boolean {
  const text = line.trim();
  return text.length > longestName || endsSentence(text);
}

function looksLikeData(cell: string): boolean {
  if (cell.length > longestName && endsSentence(cell)) return true;
  return cell.length <= longestAddress && (numeric.test(cell) || address.test(cell));
}

function endsSentence(text: string): boolean {
  return /[?.!？。！]$/.test(text);
}
