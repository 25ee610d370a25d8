export interface EncodedText {
  bytes: Buffer;
  /** Characters that the encoding lacks, written as a similar one or as a question mark. */
  replaced: number;
}

export type EncodeText = (text: string) => EncodedText;

/** Writes an encoding of the Encoding Standard; null if bytes depend on those before them. */
export function encoderFor(encoding: string): EncodeText | null {
  if (encoding === 'utf-8') return (text) => ({ bytes: Buffer.from(text), replaced: 0 });
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return (text) => {
      const bytes = Buffer.from(text, 'utf16le');
      return { bytes: encoding === 'utf-16be' ? bytes.swap16() : bytes, replaced: 0 };
    };
  return encoding === 'iso-2022-jp' ? null : (text) => encodeLegacy(text, encoding);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters of ASCII
const ascii = /^[\x00-\x7f]*$/;
const missing = '?';

function encodeLegacy(text: string, encoding: string): EncodedText {
  if (ascii.test(text)) return { bytes: Buffer.from(text, 'latin1'), replaced: 0 };
  const table = tableOf(encoding);
  const bytes: number[] = [];
  let replaced = 0;
  for (const character of composed(text)) {
    const own = bytesOf(character, table, encoding);
    if (!own) replaced += 1;
    bytes.push(...(own ?? similarTo(character, table, encoding)));
  }
  return { bytes: Buffer.from(bytes), replaced };
}

/** Letter by letter, because normalising takes the square of the marks in a letter. */
function composed(text: string): string {
  return text.replace(/[\u1100-\u11ff]{2,30}|\P{M}\p{M}{1,30}/gu, (letter) =>
    letter.normalize('NFC'),
  );
}

function bytesOf(
  character: string,
  table: ReadonlyMap<string, readonly number[]>,
  encoding: string,
): readonly number[] | null {
  if (ascii.test(character)) return [character.charCodeAt(0)];
  const code = character.codePointAt(0) ?? 0;
  if (encoding === 'gb18030' && code > 0xffff) return fourBytes(code - 0x10000 + firstBeyondBmp);
  return table.get(character) ?? null;
}

/** A narrow space becomes a space, a ligature its letters. */
function similarTo(
  character: string,
  table: ReadonlyMap<string, readonly number[]>,
  encoding: string,
): readonly number[] {
  const bytes = [...character.normalize('NFKC')].map((one) => bytesOf(one, table, encoding));
  return bytes.every((one) => one !== null) ? bytes.flat() : [missing.charCodeAt(0)];
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();
/** Of several byte pairs for one character, these are the ones that other programs write. */
const firstLead: Readonly<Record<string, number>> = { big5: 0xa1 };
const rareLeads: Readonly<Record<string, readonly number[]>> = { shift_jis: [0xed, 0xee] };

/** Node writes no legacy encodings, so this inverts its decoder. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map<string, readonly number[]>();
  addAll(table, encoding, single());
  if (/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) addAll(table, encoding, pairs(encoding));
  if (encoding === 'gb18030') addAll(table, encoding, quadruples());
  tables.set(encoding, table);
  return table;
}

const lineFeed = 10;

/** Decodes all of them at once, each on its own line. */
function addAll(
  table: Map<string, readonly number[]>,
  encoding: string,
  sequences: readonly (readonly number[])[],
): void {
  const bytes = Buffer.from(sequences.flatMap((sequence) => [...sequence, lineFeed]));
  const lines = new TextDecoder(encoding).decode(bytes).split('\n');
  for (const [at, line] of lines.entries()) {
    const sequence = sequences[at];
    const isOne = [...line].length === 1 && line !== '\ufffd';
    if (sequence && isOne && !table.has(line)) table.set(line, sequence);
  }
}

function single(): number[][] {
  return Array.from({ length: 128 }, (_, at) => [128 + at]);
}

function pairs(encoding: string): number[][] {
  const sequences: number[][] = [];
  for (let lead = firstLead[encoding] ?? 0x81; lead < 0xff; lead += 1)
    if (!rareLeads[encoding]?.includes(lead))
      for (let trail = 0x40; trail < 0xff; trail += 1) sequences.push([lead, trail]);
  return sequences;
}

const firstBeyondBmp = 189_000;
/** GB18030 numbers the characters without a pair, and writes the number in four digits. */
const numberedInBmp = 39_420;

function quadruples(): number[][] {
  return Array.from({ length: numberedInBmp }, (_, number) => fourBytes(number));
}

function fourBytes(number: number): number[] {
  return [
    0x81 + Math.floor(number / 12_600),
    0x30 + (Math.floor(number / 1260) % 10),
    0x81 + (Math.floor(number / 10) % 126),
    0x30 + (number % 10),
  ];
}
