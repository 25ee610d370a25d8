import { nameColumns, plainNames } from './name-columns.ts';
import { ProblemReport } from './problem-report.ts';
import type { CsvRecord } from './read-records.ts';
import { looksLikeHeader } from './recognise-header.ts';
import type { RowsWriter } from './rows-writer.ts';
import type { ImportLimits } from './sheet.ts';
import { inWords, SheetRefused } from './sheet-refused.ts';

interface BuilderOptions {
  limits: ImportLimits;
  delimiter: string;
  /** Undefined: the first record decides. */
  header: boolean | undefined;
  /** How many columns a sheet without a header has. */
  usualColumns: number;
  writer: RowsWriter;
}

const sampleRows = 20;

/** Makes rows of records: as many cells in each as there are columns, and a report of what had to be done for that. */
export class SheetBuilder {
  readonly report = new ProblemReport();
  readonly sample: string[][] = [];
  readonly blank = { count: 0, line: null as number | null };
  columns: string[] = [];
  hasHeader = false;
  rows = 0;
  /** Set when the text holds U+FFFD anywhere, so that clean text is not searched cell by cell. */
  isDamaged = false;
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  take(record: CsvRecord): void {
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
    this.#tellStray(record);
    if (this.isDamaged) this.#tellDamage(record);
  }

  #addRow(record: CsvRecord): void {
    const { limits, writer } = this.#options;
    this.rows += 1;
    if (this.rows > limits.rows)
      throw new SheetRefused('too_large', `more than ${inWords(limits.rows)} rows.`, record.line);
    const isBlank = this.#noteBlank(record);
    const cells =
      record.cells.length === this.columns.length ? record.cells : this.#squared(record, isBlank);
    this.#refuseLongCell(record, cells);
    this.#tellStray(record);
    if (this.isDamaged) this.#tellDamage(record);
    if (this.sample.length < sampleRows) this.sample.push(cells);
    writer.add(cells);
    if (writer.length > limits.targetBytes)
      throw new SheetRefused(
        'too_large',
        `the sheet takes more than ${inWords(limits.targetBytes)} bytes to keep.`,
        record.line,
      );
  }

  #noteBlank({ cells, line }: CsvRecord): boolean {
    const isBlank = cells.every((cell) => cell.trim() === '');
    if (!isBlank) return false;
    this.blank.count += 1;
    this.blank.line ??= line;
    return true;
  }

  /** What is missing becomes empty; what is too much goes into the last cell, so that nothing is lost. */
  #squared({ cells, line }: CsvRecord, isBlank: boolean): string[] {
    const count = this.columns.length;
    if (!isBlank) {
      const message = `The row has ${inWords(cells.length)} cells, the sheet ${inWords(count)} columns.`;
      this.report.add({ line, column: null, kind: 'ragged', message });
    }
    if (cells.length < count) return [...cells, ...Array<string>(count - cells.length).fill('')];
    const full = cells.findLastIndex((cell, index) => index < count || cell !== '') + 1;
    return [
      ...cells.slice(0, count - 1),
      cells.slice(count - 1, full).join(this.#options.delimiter),
    ];
  }

  #refuseLongCell({ length, line }: CsvRecord, cells: readonly string[]): void {
    const { cellBytes } = this.#options.limits;
    if (length * 3 <= cellBytes) return;
    const index = cells.findIndex(
      (cell) => cell.length * 3 > cellBytes && Buffer.byteLength(cell) > cellBytes,
    );
    if (index < 0) return;
    const column = this.columns[index] ?? `Column ${index + 1}`;
    throw new SheetRefused(
      'too_large',
      `the cell of “${column}” holds more than ${inWords(cellBytes)} bytes.`,
      line,
    );
  }

  #tellStray({ strayCell, line }: CsvRecord): void {
    if (strayCell < 0) return;
    const column = this.#columnAt(strayCell);
    this.report.add({
      line,
      column,
      kind: 'stray_quote',
      message: 'A quote stands where none belongs; it is kept as text.',
    });
  }

  #tellDamage({ cells, line }: CsvRecord): void {
    const index = cells.findIndex((cell) => cell.includes('\ufffd'));
    if (index < 0) return;
    const message = 'A character cannot be read in this encoding; it shows as “\ufffd”.';
    this.report.add({ line, column: this.#columnAt(index), kind: 'broken_character', message });
  }

  #columnAt(index: number): string | null {
    return this.columns[Math.min(index, this.columns.length - 1)] ?? null;
  }
}
