/** In the order of their use in the world, which decides between equals. */
const pool = [
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

/** The lead bytes of the characters that are used daily, for the encodings with thousands of others. */
const dailyLeads: Partial<Record<string, readonly [number, number]>> = {
  shift_jis: [0x88, 0x97],
  gb18030: [0xb0, 0xd7],
  'euc-kr': [0xb0, 0xc8],
  big5: [0xa4, 0xc6],
  'euc-jp': [0xb0, 0xcf],
};
/** Of the characters beyond ASCII; more faults and the text is another encoding. */
const mostFaultsInUtf8 = 0.1;
/** Characters; more do not make the guess better. */
const mostWeighed = 2000;

/** The encodings in which the bytes, which are not valid UTF-8, can be read, the likeliest first. */
export function rankEncodings(bytes: Buffer): string[] {
  const ranked = pool
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
  return (
    beyond.filter((character) => character === '\ufffd').length <= beyond.length * mostFaultsInUtf8
  );
}

/** The mean of how well each character beyond ASCII fits between its neighbours, from -3 to 1. */
function fitOf(text: string, encoding: string): number {
  const daily = dailyCharacters(encoding);
  const isJapanese = encoding === 'shift_jis' || encoding === 'euc-jp';
  let sum = 0;
  let count = 0;
  for (let index = 0; index < text.length && count < mostWeighed; index += 1) {
    if (text.charCodeAt(index) < 128) continue;
    sum += fitOfCharacter(text.charAt(index), {
      before: text.charAt(index - 1),
      after: text.charAt(index + 1),
      daily,
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

interface Place {
  before: string;
  after: string;
  daily: ReadonlySet<string>;
  isJapanese: boolean;
}

function fitOfCharacter(character: string, { before, after, daily, isJapanese }: Place): number {
  if (never.test(character)) return -3;
  if (half.test(character)) return -0.5;
  // The Chinese encodings hold kana too, and share the bytes of Hangul; whoever writes these is elsewhere at home.
  if (kana.test(character)) return isJapanese ? 1 : 0.3;
  if (hangul.test(character)) return daily.has(character) ? 1 : -0.5;
  if (han.test(character)) return daily.has(character) ? 0.9 : -0.5;
  if (punctuation.test(character)) return 0.5;
  if (!letter.test(character)) return letter.test(before) && letter.test(after) ? -1 : 0;
  if ((upper.test(character) && lower.test(before)) || (lower.test(character) && upper.test(after)))
    return -1;
  return latin.test(character) ? fitOfLatin(before, after) : fitOfOther(before, after);
}

/** An accented letter stands among plain ones. */
function fitOfLatin(before: string, after: string): number {
  const neighbours = [before, after].filter((neighbour) => letter.test(neighbour));
  if (neighbours.length === 0) return 0;
  return neighbours.every((neighbour) => neighbour < '\x80') ? 1 : -0.25;
}

/** A Cyrillic letter stands among its like; no word mixes it with Latin ones. */
function fitOfOther(before: string, after: string): number {
  const neighbours = [before, after].filter((neighbour) => letter.test(neighbour));
  if (neighbours.length === 0) return 0;
  return neighbours.some((neighbour) => latin.test(neighbour)) ? -2 : 1;
}

function dailyCharacters(encoding: string): ReadonlySet<string> {
  const leads = dailyLeads[encoding];
  if (!leads) return new Set();
  const bytes: number[] = [];
  for (let lead = leads[0]; lead <= leads[1]; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) bytes.push(lead, trail, 10);
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)).match(/[^\s\ufffd]/g));
}
