import { markLength } from '../detect/encoding.ts';
import { planLayout } from '../detect/plan.ts';
import { type RecordKind, SheetBuilder } from '../import/sheet-builder.ts';
import { type CsvRecord, RecordReader } from '../read/record-reader.ts';
import { openDecoding, type TextDecoding } from '../read/text-decoder.ts';
import type { Dialect, ImportLimits } from '../sheet.ts';
import { LineEnds } from './line-ends.ts';

/** Bytes of the file up to the end of a record, without its line end. */
export interface OriginalPiece {
  bytes: Buffer;
  kind: RecordKind;
  /** The number of the row, or null for other records. */
  row: number | null;
  /** How many cells the record lacks; negative for surplus ones. Added ones need their columns. */
  missing: number;
}

interface Options {
  dialect: Dialect;
  /** How many the import found. */
  rows: number;
  keepsRepeatedHeaders: boolean;
}

export type CutOriginal = Awaited<ReturnType<typeof cutOriginal>>;

/** The import plans with this much of a file. */
const headBytes = 64 * 1024;
/** The import has checked the file. */
const limits: ImportLimits & { emptyLines: number } = {
  bytes: Number.MAX_SAFE_INTEGER,
  rows: Number.MAX_SAFE_INTEGER,
  columns: 1_000_000,
  recordBytes: Number.MAX_SAFE_INTEGER,
  cellBytes: Number.MAX_SAFE_INTEGER,
  growth: Number.MAX_SAFE_INTEGER,
  emptyLines: Number.MAX_SAFE_INTEGER,
};

/**
 * Cuts an imported file behind its records, to add cells there, by reading it again. `quotesAll`:
 * every cell of the first lines is quoted.
 */
export async function cutOriginal(source: AsyncIterable<Buffer>, options: Options) {
  const chunks = source[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  while (!isWhole && length <= headBytes) {
    const { done, value } = await chunks.next();
    isWhole = done === true;
    if (value) parts.push(value);
    length += value?.length ?? 0;
  }
  const first = Buffer.concat(parts);
  const head = first.subarray(0, headBytes);
  const cutter = new Cutter(head, { ...options, isWholeHead: isWhole });
  /** Many at a time. Together they are the file. */
  async function* pieces() {
    try {
      yield cutter.push(first);
      for (;;) {
        const { done, value } = await chunks.next();
        if (done) break;
        yield cutter.push(value);
      }
      yield cutter.end();
    } finally {
      await chunks.return?.();
    }
  }
  return { quotesAll: cutter.quotesAll, pieces: pieces() };
}

class Cutter {
  readonly quotesAll: boolean;
  readonly #decoder: TextDecoding;
  readonly #reader: RecordReader;
  readonly #builder: SheetBuilder;
  readonly #lineEnds: LineEnds;
  readonly #allRows: number;
  #found: { kind: RecordKind; cells: number; lastLine: number }[] = [];
  /** The bytes that belong to no piece yet, and where they start in the file. */
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  /** At the start of the file, these are neither text nor records. */
  #unread: number;
  #skip: number;
  #rows = 0;
  #widest: number;

  constructor(
    head: Buffer,
    { dialect, rows, keepsRepeatedHeaders, isWholeHead }: Options & { isWholeHead: boolean },
  ) {
    const { encoding, delimiter, header } = dialect;
    const from = markLength(head, encoding);
    const decoding = { head, isWholeHead, encoding, from, isStrict: false, doubt: null };
    const layout = planLayout(decoding, { ...dialect, layout: { ...plain, ...dialect.layout } });
    const { skip_rows, header_rows, comment, quote, trim } = layout.layout;
    this.quotesAll = quotesAll(head, { encoding, delimiter, quote: quote ?? '"' });
    this.#decoder = openDecoding(encoding, decoding);
    this.#lineEnds = new LineEnds(encoding, from);
    this.#unread = from;
    this.#allRows = rows;
    this.#skip = layout.skip;
    this.#widest = layout.usualColumns;
    this.#builder = new SheetBuilder({
      limits,
      delimiter,
      headerRows: header ? (header_rows ?? 1) : 0,
      skip: skip_rows,
      comment,
      usualColumns: layout.usualColumns,
      profile: layout.profile,
      keepsRepeatedHeaders,
      writer: { add() {}, length: 0, offsets: [], columnSizes: [] },
      targetBytes: Number.MAX_SAFE_INTEGER,
    });
    this.#reader = new RecordReader({
      delimiter,
      quote,
      trim,
      firstLine: layout.firstLine,
      limits,
      take: (record) => this.#take(record),
    });
  }

  push(chunk: Buffer): OriginalPiece[] {
    this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, chunk]) : chunk;
    this.#lineEnds.scan(this.#bytes, this.#start);
    const unread = Math.min(this.#unread, chunk.length);
    this.#unread -= unread;
    this.#read(this.#decoder.decode(chunk.subarray(unread)));
    return this.#pieces();
  }

  end(): OriginalPiece[] {
    this.#read(this.#decoder.end());
    // It was a row of sheets from before it was recognised.
    this.#reader.end({ keepsEndMark: this.#builder.rows < this.#allRows });
    const pieces = this.#pieces();
    return [...pieces, { bytes: this.#bytes, kind: 'left_out', row: null, missing: 0 }];
  }

  #read(text: string): void {
    const skipped = Math.min(this.#skip, text.length);
    this.#skip -= skipped;
    this.#reader.push(text.slice(skipped));
  }

  #take(record: CsvRecord): void {
    const kind = this.#builder.add(record);
    const cells = record.cells.length;
    if (kind.endsWith('header') && this.#builder.rows === 0)
      this.#widest = Math.max(this.#widest, cells);
    this.#found.push({ kind, cells, lastLine: record.lastLine });
  }

  #pieces(): OriginalPiece[] {
    const found = this.#found;
    this.#found = [];
    const width = Math.max(this.#widest, this.#builder.columns.length);
    const pieces = found.map(({ kind, cells, lastLine }) => ({
      bytes: this.#upTo(this.#lineEnds.endOf(lastLine)),
      kind,
      row: kind === 'row' ? this.#rows++ : null,
      missing: width - cells,
    }));
    const last = found.at(-1);
    if (last) this.#lineEnds.drop(last.lastLine);
    return pieces;
  }

  #upTo(end: number): Buffer {
    const bytes = this.#bytes.subarray(0, end - this.#start);
    this.#bytes = this.#bytes.subarray(bytes.length);
    this.#start += bytes.length;
    return bytes;
  }
}

/** Complete, so that nothing is detected again. */
const plain = { skip_rows: 0, header_rows: 1, comment: '', trim: false, quote: '"' } as const;
const linesToCompare = 3;

function quotesAll(
  head: Buffer,
  { encoding, delimiter, quote }: { encoding: string; delimiter: string; quote: string },
): boolean {
  const text = new TextDecoder(encoding).decode(head);
  const lines = text.split(/\r\n|\r|\n/, linesToCompare).filter((line) => line !== '');
  return lines.every(
    (line) =>
      line.length > 1 &&
      line.startsWith(quote) &&
      line.endsWith(quote) &&
      line.split(delimiter).length === line.split(quote + delimiter + quote).length,
  );
}
