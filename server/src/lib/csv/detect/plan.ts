import * as texts from '../../../texts/sheets.ts';
import type { ThreadFile } from '../../thread-file.ts';
import { filledLength } from '../read/record-reader.ts';
import { readSample } from '../read/sample.ts';
import {
  type Candidate,
  type Dialect,
  type Layout as SheetLayout,
  SheetRefused,
  usualLayout,
} from '../sheet.ts';
import { guessDelimiter, guessQuote } from './delimiter.ts';
import { readDistinctiveLines } from './distinctive-lines.ts';
import { detectEncoding, markLength } from './encoding.ts';
import { refuseBinary, refuseForeignFile, refuseForeignText } from './foreign-file.ts';
import { type ColumnProfile, profileColumns } from './realign.ts';
import { planTable, type TablePlan } from './table.ts';

/** How the bytes become text. */
export interface DecodingPlan {
  head: Buffer;
  isWholeHead: boolean;
  encoding: string;
  /** Byte at which the text starts. */
  from: number;
  /** Faults are thrown, because the encoding is only assumed. */
  isStrict: boolean;
  /**
   * For a guess: bytes that the encodings read differently, and the encodings, the used one first.
   */
  doubt: { bytes: Buffer; encodings: string[] } | null;
}

/** How the text becomes records. */
export interface Layout {
  delimiter: string;
  /** Characters before the first record, and the line it is on. */
  skip: number;
  firstLine: number;
  /** What was found or chosen beside the delimiter. */
  layout: SheetLayout;
  headerRows: number;
  usualColumns: number;
  /** Those up to the last one with a text in a usual row. */
  filledColumns: number;
  profile: ColumnProfile[];
  /** Empty when there is no doubt. */
  candidates: Candidate[];
}

const headBytes = 64 * 1024;
const maximumCandidates = 5;
const sampleRows = 5;

export async function planDecoding(
  source: ThreadFile,
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
  source: ThreadFile,
  { decoding, offset }: { decoding: DecodingPlan; offset: number },
): Promise<DecodingPlan> {
  // Loaded only for files that need it: its tables take 15 MB.
  const { rankEncodings } = await import('./rank-encodings.ts');
  const window = offset < headBytes / 2 ? decoding.head : await readBytes(source, offset);
  const bytes = wholeLines(window);
  const distinctive = Buffer.concat([bytes, Buffer.from('\n'), await readDistinctiveLines(source)]);
  const encodings = Map.groupBy(rankEncodings(distinctive), ({ text }) => text)
    .values()
    .flatMap(([first]) => (first ? [first.encoding] : []))
    .take(maximumCandidates)
    .toArray();
  return {
    ...decoding,
    encoding: encodings[0] as string,
    isStrict: false,
    // Readings that show the same letters are one: there is nothing to ask.
    doubt: encodings.length > 1 ? { bytes: distinctive, encodings } : null,
  };
}

export function planLayout(decoding: DecodingPlan, dialect: Partial<Dialect> | undefined): Layout {
  const { head, from, encoding, isWholeHead: isWhole } = decoding;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(head.subarray(from));
  refuseForeignText(text);
  const separator = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text);
  const skip = separator?.[0].length ?? 0;
  const body = text.slice(skip);
  const chosen = dialect?.layout ?? {};
  const given = knownDelimiter(dialect?.delimiter) ?? separator?.[1];
  const quote = chosen.quote ?? guessQuote(body);
  const guess =
    given && chosen.trim !== undefined
      ? { delimiter: given, trim: chosen.trim, others: [] }
      : {
          ...guessDelimiter(body, { isWhole, quote }),
          ...(given && { delimiter: given, others: [] }),
        };
  const trim = chosen.trim ?? guess.trim;
  const records = readSample(body, { delimiter: guess.delimiter, quote, trim, isWhole });
  const table = planTable(records, dialect);
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
    layout: chosenOr(
      { ...layoutOf(table), ...(trim && { trim }), ...(quote !== '"' && { quote }) },
      chosen,
    ),
    headerRows: table.headerRows,
    usualColumns: table.width,
    filledColumns: records
      .filter(({ length }) => length === table.width)
      .reduce((most, cells) => Math.max(most, filledLength(cells)), 0),
    profile: profileColumns(records, table.width),
    candidates: candidates.slice(0, maximumCandidates),
  };
}

/** Shows only the cells that the encodings read differently. */
function encodingCandidates({ doubt }: DecodingPlan, delimiter: string): Candidate[] {
  const readings = (doubt?.encodings ?? []).map((encoding) => ({
    encoding,
    cells: readSample(new TextDecoder(encoding).decode(doubt?.bytes), {
      delimiter,
      isWhole: true,
    }).flat(),
  }));
  const distinctive = distinctiveCells(readings.map(({ cells }) => cells)).slice(0, sampleRows);
  return readings.map(({ encoding, cells }) => ({
    encoding,
    delimiter,
    worksheet: null,
    sample: distinctive.map((at) => [cells[at] ?? '']),
  }));
}

/** The rows that name the columns, as found or chosen. */
export function headerRowsOf(
  { layout, headerRows }: Pick<Layout, 'layout' | 'headerRows'>,
  dialect: Partial<Dialect> | undefined,
): number {
  if (dialect?.header === false) return 0;
  if (dialect?.header === undefined && headerRows === 0) return 0;
  return layout.header_rows ?? 1;
}

/** First cells in which each reading differs from the first one; then others, each once. */
function distinctiveCells(readings: readonly string[][]): number[] {
  const [first = [], ...others] = readings;
  const differing = new Map<string, number>();
  for (const at of first.keys())
    if (others.some((cells) => cells[at] !== first[at])) {
      const shown = readings.map((cells) => cells[at]).join('\0');
      if (!differing.has(shown)) differing.set(shown, at);
    }
  const all = [...differing.values()];
  const needed = others.flatMap((cells) => all.find((at) => cells[at] !== first[at]) ?? []);
  return [...new Set([...needed, ...all])];
}

/** Only what differs from a plain table. */
export function layoutOf({ skip, headerRows, comment }: TablePlan): SheetLayout {
  return {
    ...(skip > 0 && { skip_rows: skip }),
    ...(headerRows > 1 && { header_rows: headerRows }),
    ...(comment && { comment }),
  };
}

/** What a person chose wins; a choice of nothing, such as no title rows, is left out. */
export function chosenOr(found: SheetLayout, chosen: SheetLayout): SheetLayout {
  const usual: Record<string, unknown> = usualLayout;
  const layout = Object.entries({ ...found, ...chosen }).filter(
    ([name, value]) => value !== usual[name],
  );
  return Object.fromEntries(layout);
}

function knownEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    throw Object.assign(new SheetRefused('unreadable', texts.unknownEncoding(label)), { cause });
  }
}

function knownDelimiter(delimiter: string | undefined): string | undefined {
  if (delimiter === undefined || (delimiter.length === 1 && !/["\r\n]/.test(delimiter)))
    return delimiter;
  throw new SheetRefused('unreadable', texts.badDelimiter);
}

async function readBytes(source: ThreadFile, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await source.read(Buffer.alloc(headBytes), position);
  return buffer.subarray(0, bytesRead);
}

/** Drops the last line, which may be cut within a character, unless it is the only one. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.length < headBytes ? bytes.length : bytes.lastIndexOf(10) + 1;
  return bytes.subarray(0, end || bytes.length);
}
