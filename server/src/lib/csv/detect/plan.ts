import type { FileHandle } from 'node:fs/promises';
import * as texts from '../../../texts/sheets.ts';
import { readSample } from '../read/sample.ts';
import { type Candidate, type Dialect, SheetRefused } from '../sheet.ts';
import { guessDelimiter } from './delimiter.ts';
import { detectEncoding, markLength, rankEncodings } from './encoding.ts';
import { refuseBinary, refuseForeignFile } from './foreign-file.ts';

/** How the bytes become text. */
export interface DecodingPlan {
  head: Buffer;
  isWholeHead: boolean;
  encoding: string;
  /** Byte at which the text starts. */
  from: number;
  /** Faults are thrown, because the encoding is only assumed. */
  isStrict: boolean;
  /** For a guess: bytes that show how the encodings differ, and the encodings, the one used first. */
  doubt: { bytes: Buffer; encodings: string[] } | null;
}

/** How the text becomes records. */
export interface Layout {
  delimiter: string;
  /** Characters before the first record, and the line it is on. */
  skip: number;
  firstLine: number;
  usualColumns: number;
  /** Empty when there is no doubt. */
  candidates: Candidate[];
}

const headBytes = 64 * 1024;
const maximumCandidates = 5;
const sampleRows = 5;

export async function planDecoding(
  source: FileHandle,
  { size, dialect }: { size: number; dialect: Partial<Dialect> | undefined },
): Promise<DecodingPlan> {
  const head = await readBytes(source, 0);
  refuseForeignFile(head);
  const detected = detectEncoding(head, { size });
  if (!detected.encoding.startsWith('utf-16')) refuseBinary(head);
  const given = dialect?.encoding === undefined ? undefined : knownEncoding(dialect.encoding);
  const found = given ? { encoding: given, from: markLength(head, given) } : detected;
  return {
    head,
    isWholeHead: size <= headBytes,
    ...found,
    isStrict: !given && found.from === 0,
    doubt: null,
  };
}

/** For a file that turns out not to be UTF-8 at the given offset. */
export async function replanDecoding(
  source: FileHandle,
  { decoding, offset }: { decoding: DecodingPlan; offset: number },
): Promise<DecodingPlan> {
  const window = offset < headBytes / 2 ? decoding.head : await readBytes(source, offset);
  const bytes = wholeLines(window);
  const encodings = rankEncodings(bytes).slice(0, maximumCandidates);
  return {
    ...decoding,
    encoding: encodings[0] as string,
    isStrict: false,
    doubt: { bytes, encodings },
  };
}

export function planLayout(decoding: DecodingPlan, dialect: Partial<Dialect> | undefined): Layout {
  const { head, from, encoding, isWholeHead: isWhole } = decoding;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(head.subarray(from));
  const separator = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text);
  const skip = separator?.[0].length ?? 0;
  const body = text.slice(skip);
  const given = knownDelimiter(dialect?.delimiter) ?? separator?.[1];
  const guess = given ? { delimiter: given, others: [] } : guessDelimiter(body, { isWhole });
  const records = readSample(body, { delimiter: guess.delimiter, isWhole });
  const candidates = [...encodingCandidates(decoding, guess.delimiter)];
  const others = guess.others.map((delimiter) => ({
    encoding,
    delimiter,
    worksheet: null,
    sample: readSample(body, { delimiter, isWhole }).slice(0, sampleRows),
  }));
  if (others.length > 0 && candidates.length === 0)
    candidates.push({
      encoding,
      delimiter: guess.delimiter,
      worksheet: null,
      sample: records.slice(0, sampleRows),
    });
  candidates.splice(1, 0, ...others);
  return {
    delimiter: guess.delimiter,
    skip,
    firstLine: skip > 0 ? 2 : 1,
    usualColumns: usualCount(records),
    candidates: candidates.slice(0, maximumCandidates),
  };
}

/** Shows only rows with characters beyond ASCII: the others look the same in every encoding. */
function encodingCandidates({ doubt }: DecodingPlan, delimiter: string): Candidate[] {
  return (doubt?.encodings ?? []).map((encoding) => {
    const records = readSample(new TextDecoder(encoding).decode(doubt?.bytes), {
      delimiter,
      isWhole: true,
    });
    const telling = records.filter((cells) => cells.some((cell) => /\P{ASCII}/u.test(cell)));
    return { encoding, delimiter, worksheet: null, sample: telling.slice(0, sampleRows) };
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
    throw Object.assign(new SheetRefused('unreadable', texts.unknownEncoding(label)), {
      cause,
    });
  }
}

function knownDelimiter(delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || (delimiter.length === 1 && !/["\r\n]/.test(delimiter)))
    return delimiter;
  throw new SheetRefused('unreadable', texts.badDelimiter);
}

async function readBytes(source: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(headBytes), 0, headBytes, position);
  return buffer.subarray(0, bytesRead);
}

/** Drops the last line, which may be cut within a character, unless it is the only one. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.length < headBytes ? bytes.length : bytes.lastIndexOf(10) + 1;
  return bytes.subarray(0, end || bytes.length);
}
