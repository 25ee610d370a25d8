import { normalised } from '../fields.ts';
import type { AnswerColumn, AnswerType } from './columns.ts';
import { ExactNumber } from './find-object.ts';

/** A value of an answer column. An empty one has no text. */
export interface Cell {
  type: AnswerType;
  /** As shown and written to CSV: plain digits, Yes or No, 2026-01-31, items with commas. */
  text: string;
  /** The items of a `choices` column. */
  items?: readonly string[];
  /** What was answered is not an option letter by letter. */
  isNormalised?: true;
}

type Value = Omit<Cell, 'type'>;

const read: Record<AnswerType, (value: unknown, options: readonly string[]) => Value | null> = {
  text: readText,
  integer: (value) => readNumber(value, /^-?\d+$/),
  number: (value) => readNumber(value, /^/),
  boolean: readBoolean,
  choice: readChoice,
  choices: readChoices,
  date: readDate,
};

/** How models write an empty value into columns that are not text. */
const nothing = /^(?:n\/?a|none|null|nil|unknown|not (?:available|applicable|given)|[-–—]?)\.?$/i;

/** The value brought into the form of its type; why not, if it does not fit. */
export function readValue(
  value: unknown,
  { type, options = [] }: Pick<AnswerColumn, 'type' | 'options'>,
): Cell | 'empty' | 'unfit' {
  if (value === null || value === undefined) return 'empty';
  const single = Array.isArray(value) && value.length === 1 && type !== 'text' ? value[0] : value;
  const found = read[type](type === 'choices' ? value : single, options);
  if (found) return found.text.trim() === '' ? 'empty' : { type, ...found };
  return typeof single === 'string' && nothing.test(single.trim()) ? 'empty' : 'unfit';
}

/** The JSON text of a value: numbers keep every digit. */
export function cellJson({ type, text, items }: Cell): string {
  if (type !== 'text' && text === '') return 'null';
  if (type === 'integer' || type === 'number') return text;
  if (type === 'boolean') return `${text === 'Yes'}`;
  return JSON.stringify(items ?? text);
}

function readText(value: unknown): Value | null {
  const text = textOf(value);
  return text === null ? null : { text };
}

/** Null for deep nesting. A database stores no NUL, and no file half a surrogate pair. */
export function textOf(value: unknown): string | null {
  try {
    const text = value instanceof ExactNumber ? value.source : value;
    const json = typeof text === 'string' ? text : JSON.stringify(text);
    // `replaceAll` takes several times as long where there is none.
    return (json.includes('\0') ? json.replaceAll('\0', '') : json).toWellFormed();
  } catch {
    return null;
  }
}

const longestNumber = 400;

function readNumber(value: unknown, form: RegExp): Value | null {
  const text = decimalOf(value);
  return text !== null && form.test(text) ? { text } : null;
}

function decimalOf(value: unknown): string | null {
  if (typeof value === 'number') return plainDecimal(String(value));
  const text = value instanceof ExactNumber ? value.source : value;
  if (typeof text !== 'string' || text.length > longestNumber) return null;
  return plainDecimal(value instanceof ExactNumber ? text : withoutGroups(text));
}

/** A sign, a currency and what is between. */
const amount = /^([+\-−]?)\s?\p{Sc}?\s?(?=\S)([\d.,'’_\s]*\d(?:[eE][+-]?\d+)?)\s?\p{Sc}?$/u;
const spaced = /^\d{1,3}(?:[\s'’_]\d{3})+(?:[.,]\d+)?$/;
/** 1,234 and the Indian 12,34,567. */
const withCommas = /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;
/** 1.234.567 or 1.234,5; but 1.234 is a decimal number. */
const withPoints = /^[1-9]\d{0,2}(?:(?:\.\d{3}){2,}(?:,\d+)?|\.\d{3},\d+)$/;
const decimalComma = /^\d+,\d+$/;

/** "1,234.50", "1.234,50" and "€ 1 234,50" as 1234.50. */
export function withoutGroups(text: string): string {
  const [, sign = '', digits = ''] = amount.exec(text.trim()) ?? [];
  const number = withCommas.test(digits)
    ? digits.replaceAll(',', '')
    : withPoints.test(digits)
      ? digits.replaceAll('.', '').replace(',', '.')
      : spaced.test(digits)
        ? digits.replace(/[\s'’_]/g, '').replace(',', '.')
        : decimalComma.test(digits)
          ? digits.replace(',', '.')
          : digits;
  return `${sign === '−' ? '-' : sign}${number}`;
}

const decimal = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A number without exponent, needless zeros and rounding. */
function plainDecimal(text: string): string | null {
  const match = decimal.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const after = padded.slice(at).replace(/(?<!0)0+$/, '');
  const plain = after ? `${before}.${after}` : before;
  if (plain.length > longestNumber) return null;
  return sign === '-' && /[1-9]/.test(plain) ? `-${plain}` : plain;
}

function readBoolean(value: unknown): Value | null {
  const word = folded(value);
  if (['yes', 'true', 'y', '1'].includes(word)) return { text: 'Yes' };
  return ['no', 'false', 'n', '0'].includes(word) ? { text: 'No' } : null;
}

function readChoice(value: unknown, options: readonly string[]): Value | null {
  const exact = options.find((option) => option === value);
  if (exact !== undefined) return { text: exact };
  const word = folded(value);
  const [only, ...others] = options.filter((option) => folded(option) === word);
  return word && only !== undefined && others.length === 0
    ? { text: only, isNormalised: true }
    : null;
}

/** From a list or a text with commas, semicolons or lines. In the order of the options. */
function readChoices(value: unknown, options: readonly string[]): Value | null {
  const whole = readChoice(value, options);
  const parts = whole ? [value] : typeof value === 'string' ? splitChoices(value, options) : value;
  if (!Array.isArray(parts)) return null;
  const chosen = new Set<string>();
  let isNormalised = false;
  for (const part of parts) {
    const choice = readChoice(part, options);
    if (!choice) return null;
    chosen.add(choice.text);
    isNormalised ||= choice.isNormalised === true;
  }
  const items = options.filter((option) => chosen.has(option));
  return { text: items.join(', '), items, ...(isNormalised ? { isNormalised } : {}) };
}

const separator = /[,;\n]/;
/** More are no choices of a person, and joining them would take long. */
const mostJoined = 1_000;

/** At separators, but not at those inside an option. */
function splitChoices(text: string, options: readonly string[]): string[] {
  const pieces = text.split(/(?<=[,;\n])/);
  const longest = Math.max(1, ...options.map((option) => option.split(separator).length));
  const most = pieces.length > mostJoined ? 1 : longest;
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const joined = (count: number) => withoutSeparator(pieces.slice(at, at + count).join(''));
    let count = Math.min(most, pieces.length - at);
    while (count > 1 && !readChoice(joined(count), options)) count--;
    parts.push(joined(count));
    at += count;
  }
  return parts.filter((part) => part.trim());
}

function withoutSeparator(text: string): string {
  return text.replace(/[,;\n]$/, '').trim();
}

/** An option has at most 80 characters. Longer texts could take the square of their length. */
const longestWord = 400;

/** Without case, quotes, outer spaces and a final point. Empty: too long for an option. */
function folded(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return value instanceof ExactNumber ? value.source : '';
  if (typeof value === 'string' && value.length > longestWord) return '';
  const text = normalised(String(value), 'NFKC').trim().toLowerCase();
  return text.replace(/^["'“‘`*]+|["'”’`*.]+$/g, '').replace(/\s+/g, ' ');
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthNames =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/i;
/** 2026-01-31, perhaps with a time, 2026/1/31 and 20260131. */
const yearFirst = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2}))(?:[T ]\d{1,2}:\d{2}.*)?$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+\.?),? (\d{4})$/i;
const monthFirst = /^([a-z]+\.?) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;

function readDate(value: unknown): Value | null {
  if (typeof value !== 'string' || value.length > 60) return null;
  const text = value.trim().replace(/\s+/g, ' ');
  let match = yearFirst.exec(text);
  if (match) return dateOf(match[1], match[3] ?? match[5], match[4] ?? match[6]);
  match = dayFirst.exec(text);
  if (match) return dateOf(match[3], monthNumber(match[2]), match[1]);
  match = monthFirst.exec(text);
  if (match) return dateOf(match[3], monthNumber(match[1]), match[2]);
  match = yearLast.exec(text);
  if (!match) return null;
  const [, first, mark, second, year] = match;
  if (mark === '.') return dateOf(year, second, first);
  // 3/4/2026 is 3 April for some and 4 March for others, so only one valid reading counts.
  const readings = [dateOf(year, second, first), dateOf(year, first, second)];
  const [only, other] = readings.filter((reading) => reading !== null);
  return other && other.text !== only?.text ? null : (only ?? null);
}

function monthNumber(name = ''): string {
  return monthNames.test(name) ? `${months.indexOf(name.slice(0, 3).toLowerCase()) + 1}` : '';
}

/** Null for a day that does not exist. Spreadsheets and databases know no year 0. */
function dateOf(year = '', month = '', day = ''): Value | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(text);
  return Number(year) === 0 ||
    Number.isNaN(time) ||
    new Date(time).toISOString().slice(0, 10) !== text
    ? null
    : { text };
}
