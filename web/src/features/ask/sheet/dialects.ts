import type { Sheet } from '@rowmill/contract';
import * as texts from '../../../texts/ask.ts';

type Delimiter = ',' | ';' | '\t' | '|';

const delimiters: readonly (readonly [Delimiter, string])[] = [
  [',', texts.comma],
  [';', texts.semicolon],
  ['\t', texts.tab],
  ['|', texts.bar],
];

/** By the names that the web gives to encodings, the likeliest first. */
const encodings: readonly (readonly [string, string])[] = [
  ['utf-8', texts.utf8],
  ['windows-1252', texts.westernEuropean('Windows-1252')],
  ['utf-16le', texts.utf16LittleEndian],
  ['utf-16be', texts.utf16BigEndian],
  ['windows-1250', texts.centralEuropean('Windows-1250')],
  ['iso-8859-2', texts.centralEuropean('ISO 8859-2')],
  ['windows-1251', texts.cyrillic('Windows-1251')],
  ['gb18030', texts.simplifiedChinese('GB18030')],
  ['big5', texts.traditionalChinese('Big5')],
  ['shift_jis', texts.japanese('Shift_JIS')],
  ['euc-jp', texts.japanese('EUC-JP')],
  ['euc-kr', texts.korean('EUC-KR')],
];

/** All that can be chosen; how the file is read now is always among it. */
export function encodingsWith(present: string): readonly (readonly [string, string])[] {
  return encodings.some(([name]) => name === present)
    ? encodings
    : [[present, present], ...encodings];
}

/** A file can name a delimiter of its own in its first line; then that is among the choices. */
export function delimitersWith(present: string): readonly (readonly [string, string])[] {
  return knownDelimiter(present)
    ? delimiters
    : [[present, texts.delimiterOfFile(present)], ...delimiters];
}

/** What can be asked for; nothing leaves the file its say. */
export function knownDelimiter(sign: string | undefined): Delimiter | undefined {
  return delimiters.find(([known]) => known === sign)?.[0];
}

export function wordsForDialect({
  encoding,
  delimiter,
}: Pick<Sheet['dialect'], 'encoding' | 'delimiter'>): string {
  const encodingWords = encodings.find(([name]) => name === encoding)?.[1] ?? encoding;
  const delimiterWords =
    delimiters.find(([sign]) => sign === delimiter)?.[1].toLowerCase() ?? delimiter;
  return texts.dialect({ encoding: encodingWords, delimiter: delimiterWords });
}
