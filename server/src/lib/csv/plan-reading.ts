import type { FileHandle } from 'node:fs/promises';
import { guessDelimiter } from './guess-delimiter.ts';
import { rankEncodings } from './rank-encodings.ts';
import { readSample } from './read-sample.ts';
import { markLength, recogniseEncoding } from './recognise-encoding.ts';
import { refuseBinary, refuseForeignFile } from './refuse-foreign-file.ts';
import type { Candidate, Dialect } from './sheet.ts';
import { SheetRefused } from './sheet-refused.ts';

/** How the bytes become text. */
export interface Reading {
  head: Buffer;
  isWholeHead: boolean;
  encoding: string;
  /** Where the text starts. */
  from: number;
  /** Faults are thrown, because nobody has chosen the encoding. */
  isStrict: boolean;
  /** The bytes that show how encodings differ, and the encodings, the one taken first; when it is a guess. */
  doubt: { bytes: Buffer; encodings: string[] } | null;
}

/** How the text becomes records. */
export interface Layout {
  delimiter: string;
  /** Characters before the first record, and its line. */
  skip: number;
  firstLine: number;
  usualColumns: number;
  /** None when it is beyond doubt. */
  candidates: Candidate[];
}

const headBytes = 64 * 1024;
const mostCandidates = 5;
const sampleRows = 5;

export async function planReading(
  source: FileHandle,
  { size, dialect }: { size: number; dialect: Partial<Dialect> | undefined },
): Promise<Reading> {
  const head = await readBytes(source, 0);
  refuseForeignFile(head);
  const recognised = recogniseEncoding(head, { size });
  if (!recognised.encoding.startsWith('utf-16')) refuseBinary(head);
  const given = dialect?.encoding === undefined ? undefined : knownEncoding(dialect.encoding);
  const reading = given ? { encoding: given, from: markLength(head, given) } : recognised;
  return {
    head,
    isWholeHead: size <= headBytes,
    ...reading,
    isStrict: !given && reading.from === 0,
    doubt: null,
  };
}

/** For a file that turned out not to be UTF-8 at the given offset. */
export async function replanReading(
  source: FileHandle,
  { reading, offset }: { reading: Reading; offset: number },
): Promise<Reading> {
  const window = offset < headBytes / 2 ? reading.head : await readBytes(source, offset);
  const bytes = wholeLines(window);
  const encodings = rankEncodings(bytes).slice(0, mostCandidates);
  return {
    ...reading,
    encoding: encodings[0] as string,
    isStrict: false,
    doubt: { bytes, encodings },
  };
}

export function planLayout(reading: Reading, dialect: Partial<Dialect> | undefined): Layout {
  const { head, from, encoding, isWholeHead: isWhole } = reading;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(head.subarray(from));
  const separator = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text);
  const skip = separator?.[0].length ?? 0;
  const body = text.slice(skip);
  const given = knownDelimiter(dialect?.delimiter) ?? separator?.[1];
  const guess = given ? { delimiter: given, others: [] } : guessDelimiter(body, { isWhole });
  const records = readSample(body, { delimiter: guess.delimiter, isWhole });
  const candidates = [...encodingCandidates(reading, guess.delimiter)];
  const others = guess.others.map((delimiter) => ({
    encoding,
    delimiter,
    sample: readSample(body, { delimiter, isWhole }).slice(0, sampleRows),
  }));
  if (others.length > 0 && candidates.length === 0)
    candidates.push({ encoding, delimiter: guess.delimiter, sample: records.slice(0, sampleRows) });
  candidates.splice(1, 0, ...others);
  return {
    delimiter: guess.delimiter,
    skip,
    firstLine: skip > 0 ? 2 : 1,
    usualColumns: usualCount(records),
    candidates: candidates.slice(0, mostCandidates),
  };
}

/** Rows with characters beyond ASCII come first, because only they look different. */
function encodingCandidates({ doubt }: Reading, delimiter: string): Candidate[] {
  return (doubt?.encodings ?? []).map((encoding) => {
    const records = readSample(new TextDecoder(encoding).decode(doubt?.bytes), {
      delimiter,
      isWhole: true,
    });
    const telling = records.filter((cells) => cells.some((cell) => /\P{ASCII}/u.test(cell)));
    return { encoding, delimiter, sample: telling.slice(0, sampleRows) };
  });
}

function usualCount(records: readonly string[][]): number {
  const counts = Map.groupBy(records, ({ length }) => length);
  const [usual] = [...counts].sort((a, b) => b[1].length - a[1].length || b[0] - a[0]);
  return usual?.[0] ?? 0;
}

function knownEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    throw Object.assign(
      new SheetRefused('unreadable', `“${label}” is no encoding that can be read.`),
      { cause },
    );
  }
}

function knownDelimiter(delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || (delimiter.length === 1 && !/["\r\n]/.test(delimiter)))
    return delimiter;
  throw new SheetRefused(
    'unreadable',
    'The delimiter must be one character, neither a quote nor a line end.',
  );
}

async function readBytes(source: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(headBytes), 0, headBytes, position);
  return buffer.subarray(0, bytesRead);
}

/** Without a line that is cut at the end, and with it perhaps a character; a sole line stays. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.length < headBytes ? bytes.length : bytes.lastIndexOf(10) + 1;
  return bytes.subarray(0, end || bytes.length);
}
