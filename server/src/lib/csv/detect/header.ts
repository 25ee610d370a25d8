const numeric = /^[+-]?\p{Sc}?\s?[+-]?\d[\d.,\s'’]*(?:%|\p{Sc})?$/u;
const dateOrTime = /^\d{1,4}[./:-]\d{1,2}(?:[./:-]\d{1,4})?(?:[T ]\d{1,2}:\d{2}.*)?$/;
const year = /^(?:19|20)\d\d$/;
const address = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$|^https?:\/\//i;
/** A name of a column may have dots too, so this tells only in a list. */
const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i;
const maximumNameLength = 60;
/** Names that people give the only column of a list. */
const usualName =
  /\b(?:prompts?|questions?|texts?|names?|titles?|keywords?|key ?phrases?|phrases?|terms?|quer(?:y|ies)|topics?|products?|items?|urls?|links?|e-?mails?|domains?|compan(?:y|ies)|cit(?:y|ies)|countr(?:y|ies)|reviews?|comments?|descriptions?|messages?|words?|subjects?|addresses|address|ids?|skus?|input|content|sentences?)\b/i;
/** A line of this many words is an entry of a list, not a header, when most others are as long. */
const wordsOfAnEntry = 3;
/** Fewer rows say little about a column. */
const fewRows = 3;
export const steadyShare = 0.8;

/** The first row is a header unless it looks like data, or like the other rows of a list. */
export function looksLikeHeader([first = [], ...others]: readonly string[][]): boolean {
  const [only = '', ...more] = first;
  if (more.length === 0 && (looksLikePrompt(only) || looksLikeEntry(only, others))) return false;
  const names = first.map((cell) => cell.trim());
  if (names.some(looksLikeData) && !areNamedByTime(names, others)) return false;
  return !names.some(isLongSentence) || isSurvey(others);
}

/**
 * Years, dates and ranges name columns of other values: `Country,2023,2024`. Of several, the first
 * row of a list has none by chance. Beside one, there must be a name above numbers or a usual name.
 */
function areNamedByTime(names: readonly string[], others: readonly string[][]): boolean {
  const columns = [...names.keys()].filter((column) => looksLikeData(names[column] ?? ''));
  if (!columns.every((column) => looksLikeTime(names[column] ?? ''))) return false;
  const below = others
    .flatMap((cells) => columns.map((column) => (cells[column] ?? '').trim()))
    .filter((cell) => cell !== '');
  const times = below.filter(looksLikeTime).length;
  if (below.length === 0 || times > below.length * (1 - steadyShare)) return false;
  if (columns.length > 1 || isNameAboveData(names, others)) return true;
  return others.length >= fewRows && names.some(isUsualName);
}

/** `Product name`, but not `Text book`, which may be an entry. */
function isUsualName(name: string): boolean {
  return name.split(/\s+/).every((word) => usualName.test(word) && !/\W/.test(word));
}

function isNameAboveData(names: readonly string[], others: readonly string[][]): boolean {
  if (others.length < fewRows) return false;
  return dataColumns(others).some((column) => /\p{L}/u.test(names[column] ?? ''));
}

/** A year, date, time or range, but no decimal number. */
function looksLikeTime(cell: string): boolean {
  return year.test(cell) || (dateOrTime.test(cell) && !numeric.test(cell));
}

/** Above columns of numbers, dates or addresses, a long question is the name of a column. */
function isSurvey(others: readonly string[][]): boolean {
  return others.length >= fewRows && dataColumns(others).length > 0;
}

/** Columns in which nearly all cells are numbers, dates or addresses. */
export function dataColumns(body: readonly string[][]): number[] {
  const width = body[0]?.length ?? 0;
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const data = body.filter((cells) => looksLikeData((cells[column] ?? '').trim())).length;
    return data >= body.length * steadyShare;
  });
}

export function looksLikePrompt(line: string): boolean {
  const text = line.trim();
  return text.length > maximumNameLength || endsSentence(text);
}

export function looksLikeData(cell: string): boolean {
  return numeric.test(cell) || dateOrTime.test(cell) || address.test(cell);
}

/** An entry of a list: several words or a number among words, as in most of the others. */
function looksLikeEntry(line: string, others: readonly string[][]): boolean {
  const text = line.trim();
  const rest = others.map(([cell = '']) => cell.trim()).filter((cell) => cell !== '');
  if (rest.length < wordsOfAnEntry) return false;
  if (usualName.test(text) && countWords(text) < wordsOfAnEntry) return false;
  if (domain.test(text) && rest.every((cell) => domain.test(cell))) return true;
  const alike = rest.filter((cell) => countWords(cell) >= wordsOfAnEntry).length;
  return countWords(text) >= wordsOfAnEntry && alike >= rest.length / 2;
}

/** The first line of a list of words may be its name or an entry. The file does not tell. */
export function isDoubtfulName([first = [], ...others]: readonly string[][]): boolean {
  const [name = ''] = first;
  const isList = [first, ...others].every(({ length }) => length === 1);
  const rest = others.map(([cell = '']) => cell.trim()).filter((cell) => cell !== '');
  const isName = usualName.test(name) || rest.some((cell) => looksLikeData(cell));
  return isList && rest.length > 0 && !isName;
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

function isLongSentence(cell: string): boolean {
  return cell.length > maximumNameLength && endsSentence(cell);
}

function endsSentence(text: string): boolean {
  return /[?.!？。！]$/.test(text);
}
