import * as texts from '../../../texts/sheets.ts';
import { looksLikeHeader } from '../detect/header.ts';
import type { CsvRecord } from '../read/record-reader.ts';
import { type ImportLimits, SheetRefused } from '../sheet.ts';
import { freeName, nameColumns, plainNames } from './column-names.ts';
import { ProblemReport } from './problem-report.ts';
import type { RowsWriter } from './rows-writer.ts';

interface BuilderOptions {
  limits: ImportLimits;
  delimiter: string;
  /** Undefined: the first record decides. */
  header: boolean | undefined;
  /** Rows of a workbook end with their last text, so short ones are complete, and a longer one adds columns. */
  isOpenEnded?: boolean;
  /** The number of columns of a sheet without a header. */
  usualColumns: number;
  writer: RowsWriter;
  /** The most bytes of the rows file. */
  targetBytes: number;
}

const sampleRows = 20;

/** Turns records into rows with one cell per column, and reports what had to change for that. */
export class SheetBuilder {
  readonly report = new ProblemReport();
  readonly sample: string[][] = [];
  readonly blank = { count: 0, line: null as number | null };
  columns: string[] = [];
  hasHeader = false;
  rows = 0;
  /** Set when the text contains U+FFFD anywhere, so that clean text is not searched cell by cell. */
  isDamaged = false;
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  add(record: CsvRecord): void {
    if (this.columns.length > 0) this.#addRow(record);
    else this.#begin(record);
  }

  #begin(record: CsvRecord): void {
    this.hasHeader = this.#options.header ?? looksLikeHeader(record.cells);
    if (!this.hasHeader) {
      this.columns = plainNames(this.#options.usualColumns || record.cells.length);
      this.#addRow(record);
      return;
    }
    this.#refuseLongCell(record, record.cells);
    this.columns = nameColumns(record.cells, { line: record.line, report: this.report });
    this.#reportFaults(record);
  }

  #addRow(record: CsvRecord): void {
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
  }

  #countBlank({ cells, line }: CsvRecord): boolean {
    const isBlank = cells.every((cell) => cell.trim() === '');
    if (!isBlank) return false;
    this.blank.count += 1;
    this.blank.line ??= line;
    return true;
  }

  /** Adds empty cells where some are missing; joins surplus cells into the last one, so that no text is lost. */
  #squared({ cells, line }: CsvRecord, isBlank: boolean): string[] {
    const count = this.columns.length;
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

  #widen({ cells }: CsvRecord): void {
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
  const end = cells.findLastIndex((cell) => cell !== '') + 1;
  return end === cells.length ? cells : cells.slice(0, end);
}
