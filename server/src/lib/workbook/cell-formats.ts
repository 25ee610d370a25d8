import { format, isDateFormat, isTextFormat, isValidFormat, tokenize, tokenTypes } from 'numfmt';

/**
 * The formats that a workbook uses by number without writing them down (ECMA-376, 18.8.30), as
 * English Excel shows them. 14 and 22 are the short date of the reader's country (9/1/25 or
 * 01/09/2025), so they are written in the one way that reads the same everywhere.
 */
const builtIn: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd hh:mm',
  // 27 to 36 and 50 to 58 are dates and times in Chinese, Japanese and Korean workbooks.
  ...eastAsian([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'yyyy-mm-dd'),
  ...eastAsian([32, 33, 34, 35, 55, 56], 'h:mm:ss'),
  37: '#,##0_);\\(#,##0\\)',
  38: '#,##0_);[Red]\\(#,##0\\)',
  39: '#,##0.00_);\\(#,##0.00\\)',
  40: '#,##0.00_);[Red]\\(#,##0.00\\)',
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** Dates before 1900 and after 9999, which spreadsheets show as #####, show as numbers. */
const options = {
  nbsp: false,
  locale: 'en',
  dateErrorThrows: true,
  dateSpanLarge: false,
} as const;
/** Days between the first days of the two calendars that workbooks use. */
const daysTo1904 = 1462;
const daySeconds = 86_400;
const duration = /\[[hms]+\]/i;
/** Excel allows no longer ones. To read one takes time for each cell that it cannot show. */
const longestPattern = 255;
const digits = 15;

export type CellFormat = ReturnType<typeof cellFormat>;

export function cellFormat(id: number, own: ReadonlyMap<number, string>) {
  const written = own.get(id) || builtIn[id] || 'General';
  const isUsable = written.length <= longestPattern && isValidFormat(written);
  const pattern = isUsable ? written : 'General';
  const isDate = isDateFormat(pattern);
  return {
    pattern,
    /** With a mark for General: the library shows only eleven characters of it. */
    numberPattern: numberPatternOf(pattern, isDate),
    isGeneral: /^general$/i.test(pattern) || isTextFormat(pattern),
    isDate,
    /** Numbers with more decimals are rounded. */
    decimals: decimalsOf(pattern),
  };
}

/** The most that a part of the pattern shows. Parts with conditions compare the exact number. */
function decimalsOf(pattern: string): number {
  if (/\[[<>=]/.test(pattern)) return Infinity;
  return Math.max(0, ...[...pattern.matchAll(/\.[0#?]+/g)].map(([{ length }]) => length - 1));
}

const generalMark = '\u0001';

/**
 * `[$€-407]` would show 1234 as 1.234 beside the English numbers of other cells. Dates keep such a
 * country: it names their months.
 */
function numberPatternOf(pattern: string, isDate: boolean): string {
  const parts = tokenize(pattern).map(({ type, raw }) => {
    if (type === tokenTypes.GENERAL) return `"${generalMark}"`;
    return type === tokenTypes.LOCALE && !isDate ? raw.replace(countryTag, '"$1"') : raw;
  });
  return parts.join('');
}

const countryTag = /^\[\$([^\]-]*)-.*\]$/;

/** A number as its cell shows it. Whole numbers keep all digits: 4006381333931, not 4.00638E+12. */
export function showNumber(text: string, cell: CellFormat, is1904: boolean): string {
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  if (cell.isGeneral) return showGeneral(number);
  const shown = cell.isDate
    ? showDate(number, cell, is1904)
    : formatSafely(cell.numberPattern, withWholeHalf(number, cell));
  return shown?.replace(generalMark, showGeneral(Math.abs(number))) ?? showGeneral(number);
}

/** 1.005 is a little less in binary, and would be 1.00 and not 1.01. */
function withWholeHalf(number: number, { decimals }: CellFormat): number {
  const [, { length } = ''] = showGeneral(number).split('.');
  return length > decimals ? number * (1 + 2 * Number.EPSILON) : number;
}

/**
 * Durations, and dates of the calendar of 1904, may be negative. The library gets them wrong: -1.2
 * days are -28 hours, not -20.
 */
function showDate(number: number, { numberPattern }: CellFormat, is1904: boolean) {
  const days = roundedDays(number, numberPattern);
  const isDuration = duration.test(numberPattern);
  const isNegative = days < 0 && (isDuration || is1904);
  const size = isNegative ? -days : days;
  const shown = formatSafely(numberPattern, is1904 && !isDuration ? size + daysTo1904 : size);
  if (shown === undefined) return undefined;
  return (isNegative ? '-' : '') + withShortHalf(shown, numberPattern);
}

/** As exact as the pattern: a computed midnight is often a little less, which is the day before. */
function roundedDays(days: number, pattern: string): number {
  const shown = /s\]?\.(0+)/i.exec(pattern)?.[1]?.length ?? 0;
  const decimals = /[hs]/i.test(pattern) ? shown : 3;
  const perDay = daySeconds * 10 ** decimals;
  return Math.round(days * perDay) / perDay;
}

/** `A/P` asks for one letter; the library always writes two. */
function withShortHalf(shown: string, pattern: string): string {
  return /a\/p/i.test(pattern) ? shown.replace(/([AP])M/i, '$1') : shown;
}

/** Text only changes when its format has a part for text, as in `0;-0;0;"Mr "@`. */
export function showText(text: string, { pattern, isGeneral }: CellFormat): string {
  if (isGeneral || text === '' || !pattern.includes(';')) return text;
  return formatSafely(pattern, text) ?? text;
}

/** All 15 digits that a workbook keeps: an amount must not change when its cell shows fewer. */
function showGeneral(number: number): string {
  const text = String(Number.isSafeInteger(number) ? number : Number(number.toPrecision(digits)));
  return text.includes('e') ? (formatSafely('General', number) ?? text) : text;
}

/** Formats come from strangers' files. One that is not valid shows the bare value. */
function formatSafely(pattern: string, value: number | string): string | undefined {
  try {
    return format(pattern, value, options);
  } catch {
    return undefined;
  }
}

function eastAsian(ids: number[], pattern: string): Record<number, string> {
  return Object.fromEntries(ids.map((id) => [id, pattern]));
}
