import type { Sheet } from '@rowmill/contract';

type Delimiter = ',' | ';' | '\t' | '|';

const delimiters: readonly (readonly [Delimiter, string])[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar'],
];

/** By the names that the web gives to encodings, the likeliest first. */
const encodings: readonly (readonly [string, string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Western European (Windows-1252)'],
  ['utf-16le', 'UTF-16, little endian'],
  ['utf-16be', 'UTF-16, big endian'],
  ['windows-1250', 'Central European (Windows-1250)'],
  ['iso-8859-2', 'Central European (ISO 8859-2)'],
  ['windows-1251', 'Cyrillic (Windows-1251)'],
  ['gb18030', 'Chinese, simplified (GB18030)'],
  ['big5', 'Chinese, traditional (Big5)'],
  ['shift_jis', 'Japanese (Shift_JIS)'],
  ['euc-jp', 'Japanese (EUC-JP)'],
  ['euc-kr', 'Korean (EUC-KR)'],
];

/** All that can be chosen; how the file is read now is always among it. */
export function encodingsWith(present: string): readonly (readonly [string, string])[] {
  return encodings.some(([name]) => name === present) ? encodings : [[present, present], ...encodings];
}

/** A file can name a delimiter of its own in its first line; then that is among the choices. */
export function delimitersWith(present: string): readonly (readonly [string, string])[] {
  return knownDelimiter(present) ? delimiters : [[present, `As the file says: ${present}`], ...delimiters];
}

/** What can be asked for; nothing leaves the file its say. */
export function knownDelimiter(sign: string | undefined): Delimiter | undefined {
  return delimiters.find(([known]) => known === sign)?.[0];
}

export function wordsForDialect({ encoding, delimiter }: Pick<Sheet['dialect'], 'encoding' | 'delimiter'>): string {
  const encodingWords = encodings.find(([name]) => name === encoding)?.[1] ?? encoding;
  const delimiterWords = delimiters.find(([sign]) => sign === delimiter)?.[1].toLowerCase() ?? delimiter;
  return `${encodingWords}, ${delimiterWords}`;
}
