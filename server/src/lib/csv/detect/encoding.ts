import { isUtf8 } from 'node:buffer';

export interface DetectedEncoding {
  encoding: string;
  /** Length of the byte order mark. */
  from: number;
}

const marks: readonly { encoding: string; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];
/** Latin text has a NUL byte in nearly every UTF-16 unit; Chinese or Japanese text only in delimiters and line ends. */
const nulShareInLatin = 0.4;
const nulShareInAny = 0.01;
/** U+3000 and similar characters put a few NUL bytes on the other side. */
const maximumShareOnOtherSide = 0.25;

/** Uses the byte order mark, then the pattern of NUL bytes; otherwise assumes UTF-8, which only the whole file can confirm. */
export function detectEncoding(head: Buffer, { size }: { size: number }): DetectedEncoding {
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (mark) return { encoding: mark.encoding, from: mark.bytes.length };
  return { encoding: (size % 2 === 0 && findUnmarkedUtf16(head)) || 'utf-8', from: 0 };
}

export function markLength(head: Buffer, encoding: string): number {
  const mark = marks.find((known) => known.encoding === encoding);
  return mark?.bytes.every((byte, index) => head[index] === byte) ? mark.bytes.length : 0;
}

function findUnmarkedUtf16(head: Buffer): string | undefined {
  if (head.length === 0) return undefined;
  const zeros = [0, 0] as [number, number];
  for (let index = 0; index < head.length; index += 1)
    if (head[index] === 0) zeros[index & 1 ? 1 : 0] += 1;
  const [even, odd] = zeros;
  const share = Math.max(even, odd) / (head.length / 2);
  const isOneSided = Math.min(even, odd) <= Math.max(even, odd) * maximumShareOnOtherSide;
  if (!isOneSided || share < nulShareInAny || (share < nulShareInLatin && isUtf8(head)))
    return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Most common first, which breaks ties. */
const legacyEncodings = [
  'windows-1252',
  'shift_jis',
  'gb18030',
  'windows-1251',
  'iso-8859-2',
  'windows-1250',
  'euc-kr',
  'big5',
  'euc-jp',
] as const;

/** Lead bytes of the everyday characters, for encodings that have thousands of rare ones. */
const everydayLeads: Partial<Record<string, readonly [number, number]>> = {
  shift_jis: [0x88, 0x97],
  gb18030: [0xb0, 0xd7],
  'euc-kr': [0xb0, 0xc8],
  big5: [0xa4, 0xc6],
  'euc-jp': [0xb0, 0xcf],
};
/** Share of the characters beyond ASCII; text with more faults is in another encoding. */
const maximumFaultsInUtf8 = 0.1;
/** Scoring more characters does not improve the guess. */
const scoredCharacters = 2000;

/** The encodings that can read these bytes, which are not valid UTF-8, the likeliest first. */
export function rankEncodings(bytes: Buffer): string[] {
  const ranked = legacyEncodings
    .flatMap((encoding) => {
      const text = read(bytes, encoding);
      return text === null ? [] : [{ encoding: encoding as string, fit: fitOf(text, encoding) }];
    })
    .sort((a, b) => b.fit - a.fit)
    .map(({ encoding }) => encoding);
  const readable = ranked.length > 0 ? ranked : ['windows-1252'];
  return isDamagedUtf8(bytes) ? ['utf-8', ...readable] : readable;
}

function read(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isDamagedUtf8(bytes: Buffer): boolean {
  const beyond = bytes.toString('utf8').match(/\P{ASCII}/gu) ?? [];
  const faults = beyond.filter((character) => character === '\ufffd').length;
  return faults <= beyond.length * maximumFaultsInUtf8;
}

/** How well the characters beyond ASCII fit between their neighbours on average, from -3 to 1. */
function fitOf(text: string, encoding: string): number {
  const everyday = everydayCharacters(encoding);
  const isJapanese = encoding === 'shift_jis' || encoding === 'euc-jp';
  let sum = 0;
  let count = 0;
  for (let index = 0; index < text.length && count < scoredCharacters; index += 1) {
    if (text.charCodeAt(index) < 128) continue;
    sum += fitOfCharacter(text.charAt(index), {
      before: text.charAt(index - 1),
      after: text.charAt(index + 1),
      everyday,
      isJapanese,
    });
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

const letter = /\p{L}/u;
const latin = /\p{Script=Latin}/u;
const upper = /\p{Lu}/u;
const lower = /\p{Ll}/u;
const never = /[\x80-\x9f\p{Co}\p{Cn}\ufffd]/u;
const half = /[\uff61-\uff9f]/;
const kana = /[\u3040-\u30ff]/;
const hangul = /\p{Script=Hangul}/u;
const han = /\p{Script=Han}/u;
const punctuation = /[\p{Pi}\p{Pf}\p{Pd}\u2026\u3001\u3002\uff0c\uff01\uff1f\u20ac\u00a1\u00bf]/u;

interface Surroundings {
  before: string;
  after: string;
  everyday: ReadonlySet<string>;
  isJapanese: boolean;
}

function fitOfCharacter(
  character: string,
  { before, after, everyday, isJapanese }: Surroundings,
): number {
  if (never.test(character)) return -3;
  if (half.test(character)) return -0.5;
  // Chinese encodings also contain kana, on bytes that other encodings use for Hangul, but Chinese text rarely uses it.
  if (kana.test(character)) return isJapanese ? 1 : 0.3;
  if (hangul.test(character)) return everyday.has(character) ? 1 : -0.5;
  if (han.test(character)) return everyday.has(character) ? 0.9 : -0.5;
  if (punctuation.test(character)) return 0.5;
  if (!letter.test(character)) return letter.test(before) && letter.test(after) ? -1 : 0;
  if ((upper.test(character) && lower.test(before)) || (lower.test(character) && upper.test(after)))
    return -1;
  return latin.test(character) ? fitOfLatin(before, after) : fitOfOther(before, after);
}

/** Accented letters usually have plain neighbours. */
function fitOfLatin(before: string, after: string): number {
  const neighbours = [before, after].filter((neighbour) => letter.test(neighbour));
  if (neighbours.length === 0) return 0;
  return neighbours.every((neighbour) => neighbour < '\x80') ? 1 : -0.25;
}

/** Cyrillic and Latin letters do not mix within a word. */
function fitOfOther(before: string, after: string): number {
  const neighbours = [before, after].filter((neighbour) => letter.test(neighbour));
  if (neighbours.length === 0) return 0;
  return neighbours.some((neighbour) => latin.test(neighbour)) ? -2 : 1;
}

function everydayCharacters(encoding: string): ReadonlySet<string> {
  const leads = everydayLeads[encoding];
  if (!leads) return new Set();
  const bytes: number[] = [];
  for (let lead = leads[0]; lead <= leads[1]; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) bytes.push(lead, trail, 10);
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)).match(/[^\s\ufffd]/g));
}
