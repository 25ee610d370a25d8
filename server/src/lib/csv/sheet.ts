export interface ImportLimits {
  bytes: number;
  rows: number;
  columns: number;
  recordBytes: number;
  cellBytes: number;
  /** Of the rows file. */
  targetBytes: number;
}

export interface Dialect {
  /** 'utf-8', 'utf-16le', 'utf-16be' or any other label of the Encoding Standard. */
  encoding: string;
  delimiter: string;
  header: boolean;
}

export interface SheetProblem {
  /** The physical line on which the record starts, from 1. */
  line: number | null;
  column: string | null;
  kind: string;
  message: string;
}

export interface Candidate {
  encoding: string;
  delimiter: string;
  sample: string[][];
}

export interface ImportedSheet {
  dialect: Dialect;
  /** True when encoding and delimiter are beyond doubt; otherwise a person must confirm. */
  isSure: boolean;
  /** When not sure: at most 5 readings to choose from, the one taken first, each with up to 5 telling rows. */
  candidates: Candidate[];
  columns: string[];
  rows: number;
  blankRows: number;
  /** Byte offset in the rows file of every 256th row, and at the end the file's length. */
  offsets: number[];
  sample: string[][];
  report: { problems: SheetProblem[]; total: number };
}

export interface ImportInput {
  source: string;
  target: string;
  limits: ImportLimits;
  dialect?: Partial<Dialect>;
}
