import * as texts from '../../texts/sheets.ts';
import type { CsvRecord } from '../csv/read/record-reader.ts';
import { type ImportLimits, SheetRefused } from '../csv/sheet.ts';
import { cellFormat, showNumber, showText } from './cell-formats.ts';
import { decodeEscapes } from './escapes.ts';
import { workbookLimits } from './limits.ts';
import type { PackedParts } from './packed-parts.ts';
import { readXml } from './read-xml.ts';
import type { Workbook } from './workbook.ts';

interface Reading {
  parts: PackedParts;
  workbook: Workbook;
  path: string;
  limits: Pick<ImportLimits, 'columns' | 'recordBytes'>;
  /** Rows with at least one text; false ends the reading. */
  take(record: CsvRecord): boolean;
  afterPiece?(): Promise<void>;
}

/** Reads the rows of one sheet as texts, as the spreadsheet shows them. Memory holds one row. */
export async function readWorksheet({ parts, path, afterPiece, ...reading }: Reading) {
  const rows = new RowReader(reading);
  await readXml(parts.read(path), {
    open: (name, attributes) => rows.open(name, attributes),
    text: (text) => rows.text(text),
    close: (name) => rows.close(name),
    isDone: () => rows.isDone,
    afterPiece,
  });
  return rows.findings;
}

const general = cellFormat(0, new Map());
const letters = /^[A-Z]+/i;
const dayMilliseconds = 24 * 60 * 60 * 1000;
/** The serial number of 1 January 1970. */
const daysTo1970 = 25_569;

class RowReader {
  /** What the file has that a table of texts cannot show, such as formulas not worked out yet. */
  readonly findings = { merged: 0, withoutResult: { count: 0, line: null as number | null } };
  isDone = false;
  readonly #reading: Omit<Reading, 'parts' | 'path' | 'afterPiece'>;
  #line = 0;
  #column = -1;
  #cells: string[] = [];
  #length = 0;
  #type = '';
  #format = general;
  #hasFormula = false;
  #isValue = false;
  #phonetic = 0;
  #value = '';

  constructor(reading: Omit<Reading, 'parts' | 'path' | 'afterPiece'>) {
    this.#reading = reading;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'v' || name === 't') this.#isValue = this.#phonetic === 0;
    else if (name === 'f') this.#hasFormula = true;
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'rPh') this.#phonetic += 1;
    else if (name === 'mergeCell') this.findings.merged += 1;
  }

  text(text: string): void {
    if (!this.#isValue) return;
    this.#value += text;
    if (this.#value.length > this.#reading.limits.recordBytes) throw this.#tooLong();
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else if (name === 'rPh') this.#phonetic -= 1;
  }

  #openRow({ r }: Readonly<Record<string, string>>): void {
    this.#line = Number(r) > 0 ? Number(r) : this.#line + 1;
    if (this.#line > workbookLimits.rows)
      throw new SheetRefused('unreadable', texts.damagedWorkbook);
    this.#column = -1;
    this.#cells = [];
    this.#length = 0;
  }

  #openCell({ r, s, t = 'n' }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    this.#type = t;
    this.#format =
      (s === undefined ? undefined : this.#reading.workbook.formats[Number(s)]) ?? general;
    this.#hasFormula = false;
    this.#value = '';
  }

  #closeCell(): void {
    // The rest of the piece is not used, and the first rows of 200 sheets may be read.
    if (this.isDone) return;
    const text = this.#shown();
    if (text === '') {
      if (this.#hasFormula && this.#value === '' && this.#type !== 'str')
        this.#countWithoutResult();
      return;
    }
    const { columns } = this.#reading.limits;
    if (this.#column >= columns) {
      // A blank cell far to the right, typed by mistake, is no column.
      if (text.trim() === '') return;
      throw new SheetRefused('too_large', texts.tooManyColumns(columns), this.#line);
    }
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = text;
    this.#length += text.length;
    // Also of cells that are written again and again: a long text takes time for each.
    if (this.#length > this.#reading.limits.recordBytes) throw this.#tooLong();
  }

  #shown(): string {
    const value = this.#value;
    if (value === '') return '';
    const { strings, is1904 } = this.#reading.workbook;
    switch (this.#type) {
      case 's':
        return showText(strings.at(Number(value)), this.#format);
      case 'inlineStr':
      case 'str':
        return showText(decodeEscapes(value), this.#format);
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
      case 'e':
        return value;
      case 'd':
        return this.#shownDate(value);
      default:
        return showNumber(value, this.#format, is1904);
    }
  }

  #shownDate(value: string): string {
    const instant = Date.parse(/[Zz]$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
    if (Number.isNaN(instant) || !this.#format.isDate) return value;
    return showNumber(String(instant / dayMilliseconds + daysTo1970), this.#format, false);
  }

  #tooLong(): SheetRefused {
    const { recordBytes } = this.#reading.limits;
    return new SheetRefused('too_large', texts.longRecord(recordBytes), this.#line);
  }

  #countWithoutResult(): void {
    const { withoutResult } = this.findings;
    withoutResult.count += 1;
    withoutResult.line ??= this.#line;
  }

  #closeRow(): void {
    if (this.#cells.length === 0 || this.isDone) return;
    const { recordBytes } = this.#reading.limits;
    if (this.#length * 3 > recordBytes && Buffer.byteLength(this.#cells.join('')) > recordBytes)
      throw this.#tooLong();
    const line = this.#line;
    const record = {
      cells: this.#cells,
      line,
      lastLine: line,
      strayCell: -1,
      length: this.#length,
    };
    this.isDone = !this.#reading.take(record);
  }
}

function columnOf(reference: string): number {
  const [name = ''] = letters.exec(reference) ?? [];
  let column = 0;
  for (let index = 0; index < name.length; index += 1)
    column = column * 26 + (name.charCodeAt(index) & 31);
  if (column < 1 || column > workbookLimits.columns)
    throw new SheetRefused('unreadable', texts.damagedWorkbook);
  return column - 1;
}
