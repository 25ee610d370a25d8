import { detectAll } from 'jschardet';

/** What the page offers and this guesses among; the most common first, which breaks ties. */
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
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'koi8-r',
  'macintosh',
] as const;

/** Names of the detector that the Encoding Standard spells otherwise. */
const spellings: Readonly<Record<string, string>> = {
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
};

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

/** The detector needs no more, and takes 10 ms for this much. */
const detectedBytes = 16 * 1024;
/**
 * Of two points: one for how the letters fit, one from the detector. A reading this far behind the
 * best is nonsense; below `enoughLetters` it must be further behind.
 */
const plausibleDistance = 0.75;
const enoughLetters = 40;
const commonLead = 0.3;

/** The plausible readings of these bytes, which are not valid UTF-8, the likeliest first. */
export function rankEncodings(bytes: Buffer) {
  const confidence = detect(bytes.subarray(0, detectedBytes));
  const ranked = legacyEncodings
    .flatMap((encoding) => {
      const text = read(bytes, encoding);
      if (text === null) return [];
      const score =
        fitOf(text, encoding) + (confidence.get(encoding) ?? 0) + priorOf(encoding, text);
      return [{ encoding: encoding as string, text, score }];
    })
    .sort((a, b) => b.score - a.score);
  const best = ranked[0]?.score ?? 0;
  const plausible = ranked.filter(
    ({ score }) => score >= best - distanceFor(ranked[0]?.text ?? ''),
  );
  if (isDamagedUtf8(bytes))
    plausible.unshift({ encoding: 'utf-8', text: bytes.toString(), score: 0 });
  if (plausible.length > 0) return plausible;
  return [{ encoding: 'windows-1252', text: new TextDecoder('windows-1252').decode(bytes) }];
}

function distanceFor(text: string): number {
  return plausibleDistance * (1 + doubtOf(text));
}

/** The most common encoding leads when a few letters tell nothing. */
function priorOf(encoding: string, text: string): number {
  return encoding === legacyEncodings[0] ? doubtOf(text) * commonLead : 0;
}

/** From 1 without any letters beyond ASCII to 0 with enough of them. */
function doubtOf(text: string): number {
  const letters = text.match(/\P{ASCII}/gu)?.length ?? 0;
  return 1 - Math.min(1, letters / enoughLetters);
}

/** From 0 to 1, where 1 is what the detector trusts most. */
function detect(bytes: Buffer): Map<string, number> {
  const found = detectAll(bytes);
  const most = Math.max(...found.map(({ confidence }) => confidence), Number.EPSILON);
  const shares = new Map<string, number>();
  for (const { encoding, confidence } of found) {
    const label = labelOf(encoding);
    if (label) shares.set(label, Math.max(shares.get(label) ?? 0, confidence / most));
  }
  return shares;
}

function labelOf(name: string | null): string | null {
  try {
    const lower = name?.toLowerCase() ?? '';
    return new TextDecoder(spellings[lower] ?? lower).encoding;
  } catch {
    return null;
  }
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
  // Chinese encodings have kana on bytes of Hangul elsewhere, but Chinese text rarely uses it.
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
