import * as texts from '../../../texts/sheets.ts';
import { type ColumnProfile, withoutSurplus } from '../detect/realign.ts';
import { type CsvRecord, filledLength } from '../read/record-reader.ts';
import { type ImportLimits, SheetRefused } from '../sheet.ts';
import { freeName, joinHeaders, nameColumns, plainNames } from './column-names.ts';
import { ProblemReport } from './problem-report.ts';
import type { RowsWriter } from './rows-writer.ts';

interface BuilderOptions {
  limits: ImportLimits;
  delimiter: string;
  /** Rows that name the columns; 0 when the first one is data. */
  headerRows: number;
  /** Title rows above them. */
  skip?: number;
  /** How lines start that are not rows. */
  comment?: string;
  /** As in a workbook, rows end with their last text. Longer ones add columns. */
  isOpenEnded?: boolean;
  /** What the columns of the first rows look like, to find a surplus delimiter. */
  profile?: readonly ColumnProfile[];
  /** The number of columns of a sheet without a header. */
  usualColumns: number;
  /** Rows equal to the header stay data, as in sheets from before they were recognised. */
  keepsRepeatedHeaders?: boolean;
  writer: Pick<RowsWriter, 'add' | 'length' | 'offsets' | 'columnSizes'>;
  /** The most bytes of the rows file. */
  targetBytes: number;
}

const sampleRows = 20;

/** What a record was read as. The first of several header rows names further columns. */
export type RecordKind = 'header' | 'further_header' | 'row' | 'left_out';

/** Turns records into rows with one cell per column, and reports what had to change for that. */
export class SheetBuilder {
  readonly report = new ProblemReport();
  readonly sample: string[][] = [];
  readonly blank = { count: 0, line: null as number | null };
  readonly titles = { count: 0, line: null as number | null };
  readonly comments = { count: 0, line: null as number | null };
  readonly headersAgain = { count: 0, line: null as number | null };
  columns: string[] = [];
  /** The header as it is in the file. */
  given: readonly string[] = [];
  readonly #headers: string[][] = [];
  #headerLine: number | null = null;
  hasHeader = false;
  rows = 0;
  /** Whether the text contains U+FFFD, so that clean text is not searched cell by cell. */
  isDamaged = false;
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  add(record: CsvRecord): RecordKind {
    if (this.#options.comment && this.#isComment(record)) return this.#count(this.comments, record);
    if (this.titles.count < (this.#options.skip ?? 0)) return this.#count(this.titles, record);
    if (this.columns.length === 0) return this.#begin(record);
    if (!this.#isHeaderAgain(record)) return this.#addRow(this.#ended(record));
    this.#count(this.headersAgain, record);
    return 'header';
  }

  /** Once all rows are read: refuses a sheet without any, and reports what was left out. */
  summarise(): void {
    if (this.rows === 0)
      throw new SheetRefused(
        'unreadable',
        this.columns.length > 0 ? texts.onlyHeader : texts.noRows,
      );
    if (this.#headers.length > 1)
      this.report.summarise(
        'header_rows',
        { count: this.#headers.length, line: this.#headerLine },
        texts.headerRows,
      );
    this.report.summarise('title_rows', this.titles, texts.titleRows);
    this.report.summarise('comment', this.comments, texts.commentLines);
    this.report.summarise('header_again', this.headersAgain, texts.headersAgain);
  }

  /** What every kind of file gives. Ends the report. */
  result() {
    return {
      columns: this.columns,
      rows: this.rows,
      blankRows: this.blank.count,
      offsets: this.#options.writer.offsets,
      columnSizes: this.#options.writer.columnSizes,
      sample: this.sample,
      report: this.report.end(),
    };
  }

  #isComment({ cells }: CsvRecord): boolean {
    const width = this.columns.length || this.#options.usualColumns;
    return cells[0]?.startsWith(this.#options.comment ?? '') === true && cells.length !== width;
  }

  #count(found: { count: number; line: number | null }, { line }: CsvRecord): RecordKind {
    found.count += 1;
    found.line ??= line;
    return 'left_out';
  }

  /** Exports of several pages or tables repeat it. One or two equal cells may be a row. */
  #isHeaderAgain({ cells }: CsvRecord): boolean {
    const { given } = this;
    if (given.length < 3 || cells[0] !== given[0] || this.#options.keepsRepeatedHeaders)
      return false;
    const same = Math.min(cells.length, given.length);
    return same >= 3 && given.slice(0, same).every((name, at) => name === cells[at]);
  }

  /** Up to its last text, if it may end there. A blank one keeps a cell, so that it stays a row. */
  #ended(record: CsvRecord): CsvRecord {
    if (!this.#options.isOpenEnded) return record;
    return { ...record, cells: record.cells.slice(0, Math.max(1, filledLength(record.cells))) };
  }

  #begin(given: CsvRecord): RecordKind {
    const record = this.#ended(given);
    this.hasHeader = this.#options.headerRows > 0;
    if (!this.hasHeader) {
      this.columns = plainNames(this.#options.usualColumns || record.cells.length);
      return this.#addRow(record);
    }
    this.#refuseLongCell(record, record.cells);
    this.#headers.push(record.cells);
    this.#headerLine ??= record.line;
    const kind = this.#headers.length === 1 ? 'header' : 'further_header';
    if (this.#headers.length < this.#options.headerRows) return kind;
    this.given = this.#headers.length === 1 ? given.cells : [];
    const cells = this.#fittingHeader(joinHeaders(this.#headers), record.line);
    this.columns = nameColumns(cells, { line: record.line, report: this.report });
    this.#reportFaults(record);
    return kind;
  }

  /** A header with one empty cell too many loses it; one with too few gets unnamed columns. */
  #fittingHeader(cells: string[], line: number): string[] {
    const { usualColumns, isOpenEnded } = this.#options;
    const missing = usualColumns - cells.length;
    if (isOpenEnded || missing === 0 || cells.length < 2) return cells;
    const surplus = cells.findIndex((cell) => cell.trim() === '');
    if (missing < -1 || (missing === -1 && surplus < 0)) return cells;
    this.report.add({
      line,
      column: null,
      kind: 'header_width',
      message: texts.headerWidth(cells.length, usualColumns),
    });
    if (missing < 0) return cells.toSpliced(surplus, 1);
    return [...cells, ...Array<string>(missing).fill('')];
  }

  #addRow(record: CsvRecord): RecordKind {
    const { limits, writer, targetBytes } = this.#options;
    this.rows += 1;
    if (this.rows > limits.rows)
      throw new SheetRefused('too_large', texts.tooManyRows(limits.rows), record.line);
    const isBlank = this.#countBlank(record);
    if (this.#options.isOpenEnded) this.#widen(record);
    const cells =
      record.cells.length === this.columns.length ? record.cells : this.#squared(record, isBlank);
    this.#refuseLongCell(record, cells);
    this.#reportFaults(record);
    if (this.sample.length < sampleRows) this.sample.push(cells);
    writer.add(withoutEmptyTail(cells));
    if (writer.length > targetBytes)
      throw new SheetRefused('too_large', texts.tooMuchStorage(targetBytes), record.line);
    return 'row';
  }

  #countBlank({ cells, line }: CsvRecord): boolean {
    const isBlank = cells.every((cell) => cell.trim() === '');
    if (!isBlank) return false;
    this.blank.count += 1;
    this.blank.line ??= line;
    return true;
  }

  /** Adds missing empty cells; joins surplus cells into the last one, so that no text is lost. */
  #squared({ cells, line }: CsvRecord, isBlank: boolean): string[] {
    const count = this.columns.length;
    const aligned = isBlank ? null : withoutSurplus(cells, this.#options.profile ?? []);
    if (aligned) {
      this.report.add({ line, column: null, kind: 'surplus_cell', message: texts.surplusCell });
      return aligned;
    }
    if (!isBlank && !this.#options.isOpenEnded)
      this.report.add({
        line,
        column: null,
        kind: 'ragged',
        message: texts.ragged(cells.length, count),
      });
    if (cells.length < count) return [...cells, ...Array<string>(count - cells.length).fill('')];
    const full = cells.findLastIndex((cell, index) => index < count || cell !== '') + 1;
    return [
      ...cells.slice(0, count - 1),
      cells.slice(count - 1, full).join(this.#options.delimiter),
    ];
  }

  #widen({ cells, line }: CsvRecord): void {
    const { columns } = this.#options.limits;
    if (cells.length > columns)
      throw new SheetRefused('too_large', texts.tooManyColumns(columns), line);
    while (this.columns.length < cells.length) {
      this.columns.push(freeName(this.columns));
      for (const row of this.sample) row.push('');
    }
  }

  #refuseLongCell({ length, line }: CsvRecord, cells: readonly string[]): void {
    const { cellBytes } = this.#options.limits;
    if (length * 3 <= cellBytes) return;
    const index = cells.findIndex(
      (cell) => cell.length * 3 > cellBytes && Buffer.byteLength(cell) > cellBytes,
    );
    if (index < 0) return;
    const column = this.columns[index] ?? `Column ${index + 1}`;
    throw new SheetRefused('too_large', texts.longCell(column, cellBytes), line);
  }

  #reportFaults({ cells, line, strayCell }: CsvRecord): void {
    if (strayCell >= 0)
      this.report.add({
        line,
        column: this.#columnAt(strayCell),
        kind: 'stray_quote',
        message: texts.strayQuote,
      });
    const damaged = this.isDamaged ? cells.findIndex((cell) => cell.includes('\ufffd')) : -1;
    if (damaged >= 0)
      this.report.add({
        line,
        column: this.#columnAt(damaged),
        kind: 'broken_character',
        message: texts.invalidCharacter,
      });
  }

  #columnAt(index: number): string | null {
    return this.columns[Math.min(index, this.columns.length - 1)] ?? null;
  }
}

/** A short row under many columns would grow by all of its empty cells. */
function withoutEmptyTail(cells: readonly string[]): readonly string[] {
  const end = filledLength(cells);
  return end === cells.length ? cells : cells.slice(0, end);
}
