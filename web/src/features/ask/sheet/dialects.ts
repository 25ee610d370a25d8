import type { Sheet } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';
import * as encodingTexts from '../../../texts/encodings.ts';

type Delimiter = ',' | ';' | '\t' | '|';
type Choice = readonly [value: string, label: string];

const delimiters: readonly (readonly [Delimiter, string])[] = [
  [',', texts.comma],
  [';', texts.semicolon],
  ['\t', texts.tab],
  ['|', texts.pipe],
];

/** Labels as defined by the WHATWG Encoding Standard, the most likely first. */
const encodings: readonly Choice[] = [
  ['utf-8', encodingTexts.utf8],
  ['windows-1252', encodingTexts.westernEuropean('Windows-1252')],
  ['utf-16le', encodingTexts.utf16LittleEndian],
  ['utf-16be', encodingTexts.utf16BigEndian],
  ['windows-1250', encodingTexts.centralEuropean('Windows-1250')],
  ['iso-8859-2', encodingTexts.centralEuropean('ISO 8859-2')],
  ['windows-1251', encodingTexts.cyrillic('Windows-1251')],
  ['gb18030', encodingTexts.simplifiedChinese('GB18030')],
  ['big5', encodingTexts.traditionalChinese('Big5')],
  ['shift_jis', encodingTexts.japanese('Shift_JIS')],
  ['euc-jp', encodingTexts.japanese('EUC-JP')],
  ['euc-kr', encodingTexts.korean('EUC-KR')],
  ['windows-1253', encodingTexts.greek('Windows-1253')],
  ['windows-1254', encodingTexts.turkish('Windows-1254')],
  ['windows-1255', encodingTexts.hebrew('Windows-1255')],
  ['windows-1256', encodingTexts.arabic('Windows-1256')],
  ['windows-1257', encodingTexts.baltic('Windows-1257')],
  ['windows-1258', encodingTexts.vietnamese('Windows-1258')],
  ['windows-874', encodingTexts.thai('Windows-874')],
  ['koi8-r', encodingTexts.cyrillic('KOI8-R')],
  ['macintosh', encodingTexts.westernEuropean('Macintosh')],
];

/** All encodings to choose from, the current one included. */
export function encodingChoices(current: string): readonly Choice[] {
  return encodings.some(([name]) => name === current)
    ? encodings
    : [[current, current], ...encodings];
}

/** All delimiters to choose from, with the one that the file declares in its first line. */
export function delimiterChoices(current: string): readonly Choice[] {
  return asDelimiter(current)
    ? delimiters
    : [[current, texts.declaredDelimiter(current)], ...delimiters];
}

/** A delimiter that can be requested; undefined uses the one that the file declares. */
export function asDelimiter(value: string | undefined): Delimiter | undefined {
  return delimiters.find(([delimiter]) => delimiter === value)?.[0];
}

export function describeSource({ dialect, worksheets }: Sheet): string {
  if (dialect.format === 'delimited') return describeDialect(dialect);
  if (dialect.format === 'json_lines') return texts.jsonLines;
  return texts.fromWorksheet(worksheets[dialect.worksheet ?? 0]?.name ?? '');
}

export function describeDialect({
  encoding,
  delimiter,
}: Pick<Sheet['dialect'], 'encoding' | 'delimiter'>): string {
  const labelOf = (choices: readonly Choice[], value: string) =>
    choices.find(([known]) => known === value)?.[1];
  return texts.dialect({
    encoding: labelOf(encodings, encoding) ?? encoding,
    delimiter: labelOf(delimiters, delimiter)?.toLowerCase() ?? delimiter,
  });
}
