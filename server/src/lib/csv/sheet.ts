import * as texts from '../../texts/sheets.ts';

/** Every block of the rows file has this many rows; the index holds the offset of each. */
export const rowsPerBlock = 256;

export interface ImportLimits {
  bytes: number;
  rows: number;
  columns: number;
  recordBytes: number;
  cellBytes: number;
  /** The rows file may be this many times as large as the uploaded one. */
  growth: number;
}

export interface Dialect {
  /** 'utf-8', 'utf-16le', 'utf-16be' or any other label of the Encoding Standard. */
  encoding: string;
  delimiter: string;
  header: boolean;
  layout: Layout;
}

/** What a file needs beside encoding, delimiter and header. Empty for a plain text file. */
export interface Layout {
  format?: 'workbook' | 'json_lines';
  /** The number of a workbook's sheet, from 0. */
  worksheet?: number;
  /** Title rows above the header, which are left out. */
  skip_rows?: number;
  /** More than one row names the columns. */
  header_rows?: number;
  /** Lines that start like this are left out, unless they have as many cells as the rows. */
  comment?: string;
  /** Spaces behind a delimiter do not belong to the cell. */
  trim?: boolean;
  /** Cells are quoted with apostrophes. */
  quote?: string;
}

/** What is left out of a layout. */
export const usualLayout = { skip_rows: 0, header_rows: 1, comment: '', trim: false, quote: '"' };

export interface Worksheet {
  name: string;
  hidden: boolean;
  /** It has at least one cell with a text or number. */
  filled: boolean;
}

export interface SheetProblem {
  /** The line of the file on which the record starts, from 1. */
  line: number | null;
  column: string | null;
  kind: string;
  message: string;
}

export interface Candidate {
  encoding: string;
  delimiter: string;
  worksheet: number | null;
  sample: string[][];
}

/** Of the cells of a column: how many have a text, and the characters of the longest. */
export interface ColumnSize {
  filled: number;
  longest: number;
}

export interface ImportedSheet {
  dialect: Dialect;
  /** False when encoding or delimiter is a guess that a person must confirm. */
  isSure: boolean;
  /** The sheets of a workbook; empty for other files. */
  worksheets: Worksheet[];
  /** When not sure: at most 5 dialects, the used one first, with up to 5 rows that differ. */
  candidates: Candidate[];
  columns: string[];
  rows: number;
  blankRows: number;
  columnSizes: ColumnSize[];
  /** Byte offset in the rows file of every 256th row, then the file's length. */
  offsets: number[];
  sample: string[][];
  report: { problems: SheetProblem[]; total: number };
}

export interface ImportInput {
  source: string;
  target: string;
  /** The name that the file was uploaded with. */
  name?: string;
  limits: ImportLimits;
  dialect?: Partial<Dialect>;
}

export type RefusalKind = 'too_large' | 'unreadable' | 'not_a_sheet';

/** A file that cannot become a sheet. The message is for the person who uploaded it. */
export class SheetRefused extends Error {
  override name = 'SheetRefused';
  kind: RefusalKind;
  line: number | null;

  constructor(kind: RefusalKind, message: string, line: number | null = null) {
    super(line === null ? message : texts.onLine(line, message));
    this.kind = kind;
    this.line = line;
  }
}
