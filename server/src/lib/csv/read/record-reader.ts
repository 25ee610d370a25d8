import * as texts from '../../../texts/sheets.ts';
import { SheetRefused } from '../sheet.ts';

export interface CsvRecord {
  cells: string[];
  /** The line of the file on which it starts. */
  line: number;
  /** The cell with an unexpected quote, or -1. */
  strayCell: number;
  /** Length of the raw text in UTF-16 units: at least a third of its bytes. */
  length: number;
  /** The line on which it ends. */
  lastLine: number;
}

export interface RecordLimits {
  recordBytes: number;
  columns: number;
  emptyLines: number;
}

interface ReaderOptions {
  delimiter: string;
  /** Around cells that hold a delimiter or line end; `"` unless said otherwise. */
  quote?: string;
  /** Skips spaces behind a delimiter. */
  trim?: boolean;
  firstLine: number;
  limits: RecordLimits;
  take(record: CsvRecord): void;
}

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const byteOrderMark = 0xfeff;
/** Programs for DOS end a file with it, on a line of its own. */
const endMark = '\x1a';

/**
 * Cuts text that arrives in pieces into records. Nearly all records have no quotes: the reader
 * jumps to the next line end and splits the record. It remembers the next line end and quote, so it
 * searches text once. An incomplete record is read again with the next piece; the limit on its
 * length bounds that work.
 */
export class RecordReader {
  readonly empty = { count: 0, line: null as number | null };
  readonly nuls = { count: 0, line: null as number | null };

  readonly #options: ReaderOptions;
  readonly #delimiterCode: number;
  readonly #quote: string;
  readonly #quoteCode: number;
  #text = '';
  #at = 0;
  #line: number;
  #nextLf = -1;
  #nextCr = -1;
  #nextQuote = -1;
  #nextDelimiter = -1;

  /** State of the quoted record being read. */
  #position = 0;
  #innerLines = 0;
  #isStray = false;
  #openQuote: { at: number; line: number } | null = null;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#delimiterCode = options.delimiter.charCodeAt(0);
    this.#quote = options.quote ?? '"';
    this.#quoteCode = this.#quote.charCodeAt(0);
    this.#line = options.firstLine;
  }

  push(text: string): void {
    const rest = this.#text.slice(this.#at);
    const clean = text.includes('\0') ? this.#withoutNuls(rest, text) : text;
    this.#text = rest ? rest + clean : clean;
    this.#at = 0;
    this.#read(false);
  }

  end({ keepsEndMark = false } = {}): void {
    if (!keepsEndMark && this.#text.slice(this.#at) === endMark) return;
    this.#read(true);
  }

  #read(isLast: boolean): void {
    // An incomplete record is read again from its start, which these positions have passed.
    this.#nextLf = this.#nextCr = this.#nextQuote = this.#nextDelimiter = -1;
    while (this.#at < this.#text.length && this.#readRecord(isLast));
    if (this.#at < this.#text.length) this.#refuseLong(this.#text.length, this.#openQuote);
  }

  /** False when the record continues in the next piece. */
  #readRecord(isLast: boolean): boolean {
    // Files that are joined, and exports that write it twice, have it within the text.
    while (this.#text.charCodeAt(this.#at) === byteOrderMark) this.#at += 1;
    const at = this.#at;
    const end = this.#lineEnd(at);
    if (this.#nextQuote < at) this.#nextQuote = this.#find(this.#quote, at);
    if (this.#nextQuote < end) return this.#readQuotedRecord(isLast);
    if (!isLast && this.#isCut(end)) return false;
    if (end === at) this.#skipEmptyLine();
    else this.#take(this.#split(at, end), { end, strayCell: -1, lastLine: this.#line });
    this.#at = this.#afterLineEnd(end);
    this.#line += 1;
    return true;
  }

  #readQuotedRecord(isLast: boolean): boolean {
    const cells: string[] = [];
    let strayCell = -1;
    this.#position = this.#at;
    this.#innerLines = 0;
    this.#openQuote = null;
    do {
      // Checked before the cell, because its problems may depend on where the text is cut.
      this.#refuseWide(cells.length + 1);
      if (cells.length > 0) this.#position += 1;
      this.#isStray = false;
      if (cells.length > 0 && this.#options.trim) this.#skipSpaces();
      const isQuoted = this.#text.charCodeAt(this.#position) === this.#quoteCode;
      const cell = isQuoted ? this.#quotedCell(isLast) : this.#plainCell();
      if (cell === null) return false;
      if (this.#isStray && strayCell < 0) strayCell = cells.length;
      cells.push(cell);
    } while (this.#text.charCodeAt(this.#position) === this.#delimiterCode);
    if (!isLast && this.#isCut(this.#position)) return false;
    const lastLine = this.#line + this.#innerLines;
    this.#take(cells, { end: this.#position, strayCell, lastLine });
    this.#at = this.#afterLineEnd(this.#position);
    this.#line = lastLine + 1;
    return true;
  }

  /** Null when the cell continues in the next piece. */
  #quotedCell(isLast: boolean): string | null {
    const start = this.#position + 1;
    const open = { at: start - 1, line: this.#line + this.#innerLines };
    const { close, isDoubled } = this.#closingQuote(start);
    if (close < 0 && isLast) throw new SheetRefused('unreadable', texts.openQuote, open.line);
    if (close < 0) {
      this.#openQuote = open;
      return null;
    }
    this.#refuseLong(close, open);
    if (!isLast && close + 1 === this.#text.length) return null;
    const raw = this.#text.slice(start, close);
    this.#position = close + 1;
    if (this.#lineEnd(start) < close) this.#innerLines += countLineEnds(raw);
    const value = isDoubled ? raw.replaceAll(this.#quote + this.#quote, this.#quote) : raw;
    return this.#isCellEnd() ? value : this.#strayText(start - 1);
  }

  #closingQuote(start: number): { close: number; isDoubled: boolean } {
    let close = this.#text.indexOf(this.#quote, start);
    let isDoubled = false;
    while (close >= 0 && !this.#closes(close)) {
      const isPair = this.#text.charCodeAt(close + 1) === this.#quoteCode;
      isDoubled ||= isPair;
      close = this.#text.indexOf(this.#quote, close + (isPair ? 2 : 1));
    }
    return { close, isDoubled };
  }

  /** An apostrophe within a word closes nothing. */
  #closes(at: number): boolean {
    if (this.#quote === '"') return this.#text.charCodeAt(at + 1) !== this.#quoteCode;
    return at + 1 === this.#text.length || this.#isCellEnd(at + 1);
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#position) === space) this.#position += 1;
  }

  #isCellEnd(at = this.#position): boolean {
    const code = this.#text.charCodeAt(at);
    return (
      code === this.#delimiterCode ||
      code === lineFeed ||
      code === carriageReturn ||
      Number.isNaN(code)
    );
  }

  /** A cell with text after its closing quote is kept unchanged, quotes included. */
  #strayText(start: number): string {
    this.#plainCell();
    this.#isStray = true;
    return this.#text.slice(start, this.#position);
  }

  #plainCell(): string {
    const start = this.#position;
    if (this.#nextDelimiter < start)
      this.#nextDelimiter = this.#find(this.#options.delimiter, start);
    if (this.#nextQuote < start) this.#nextQuote = this.#find(this.#quote, start);
    const end = Math.min(this.#lineEnd(start), this.#nextDelimiter);
    if (this.#nextQuote < end) this.#isStray = true;
    this.#position = end;
    return this.#text.slice(start, end);
  }

  #split(start: number, end: number): string[] {
    const cells = this.#text
      .slice(start, end)
      .split(this.#options.delimiter, this.#options.limits.columns + 1);
    this.#refuseWide(cells.length);
    if (this.#options.trim)
      for (let at = 1; at < cells.length; at += 1) cells[at] = cells[at]?.replace(/^ +/, '') ?? '';
    return cells;
  }

  #take(
    cells: string[],
    { end, strayCell, lastLine }: { end: number; strayCell: number; lastLine: number },
  ): void {
    this.#refuseLong(end, null);
    const length = end - this.#at;
    this.#options.take({ cells, line: this.#line, strayCell, length, lastLine });
  }

  #skipEmptyLine(): void {
    this.empty.count += 1;
    this.empty.line ??= this.#line;
    const { emptyLines } = this.#options.limits;
    if (this.empty.count > emptyLines)
      throw new SheetRefused('too_large', texts.tooManyEmptyLines(emptyLines), this.#line);
  }

  #refuseWide(cells: number): void {
    const { columns } = this.#options.limits;
    if (cells > columns)
      throw new SheetRefused('too_large', texts.tooManyColumns(columns), this.#line);
  }

  /** A quote still open at the limit counts as never closed, wherever the text is cut. */
  #refuseLong(end: number, openQuote: { at: number; line: number } | null): void {
    const { recordBytes } = this.#options.limits;
    if (this.#bytesTo(end) <= recordBytes) return;
    if (openQuote && this.#bytesTo(openQuote.at) <= recordBytes)
      throw new SheetRefused('unreadable', texts.openQuotePast(recordBytes), openQuote.line);
    throw new SheetRefused('too_large', texts.longRecord(recordBytes), this.#line);
  }

  /** Exact only near the limit. */
  #bytesTo(end: number): number {
    const maximum = (end - this.#at) * 3;
    return maximum <= this.#options.limits.recordBytes
      ? maximum
      : Buffer.byteLength(this.#text.slice(this.#at, end));
  }

  #lineEnd(from: number): number {
    if (this.#nextLf < from) this.#nextLf = this.#find('\n', from);
    if (this.#nextCr < from) this.#nextCr = this.#find('\r', from);
    return Math.min(this.#nextLf, this.#nextCr);
  }

  /** A carriage return at the end of the piece may be the first half of a line end. */
  #isCut(end: number): boolean {
    return (
      end === this.#text.length ||
      (end === this.#text.length - 1 && this.#text.charCodeAt(end) === carriageReturn)
    );
  }

  #afterLineEnd(end: number): number {
    const isPair =
      this.#text.charCodeAt(end) === carriageReturn && this.#text.charCodeAt(end + 1) === lineFeed;
    return isPair ? end + 2 : end + 1;
  }

  #find(character: string, from: number): number {
    const found = this.#text.indexOf(character, from);
    return found < 0 ? this.#text.length : found;
  }

  #withoutNuls(rest: string, text: string): string {
    this.nuls.line ??= this.#line + countLineEnds(rest + text.slice(0, text.indexOf('\0')));
    const clean = text.replaceAll(/\0+/g, '');
    this.nuls.count += text.length - clean.length;
    return clean;
  }
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** Cells up to the last one with a text. */
export function filledLength(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}
