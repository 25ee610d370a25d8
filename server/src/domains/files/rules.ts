import type { Sheet } from '@rowmill/contract';
import type { Selectable } from 'kysely';
import type { SheetTable } from '../../db/schema.ts';
import type { Dialect } from '../../lib/csv/sheet.ts';

export type SheetRow = Selectable<Omit<SheetTable, 'offsets'>>;

/** Every slice of the rows file holds so many rows; the index knows where each begins. */
export const rowsPerSlice = 256;

export function originalKey(sheetId: string): string {
  return `${sheetId}/original`;
}

/** Each way of reading has a file of its own, so that a record never points into rows that were read in another way. */
export function rowsKey(sheetId: string, { encoding, delimiter, header }: Dialect): string {
  return `${sheetId}/rows-${encoding}-${delimiter.charCodeAt(0)}-${header ? 'header' : 'plain'}`;
}

/** Every key begins with the sheet that it belongs to. */
export function sheetOf(key: string): string {
  return key.split('/', 1)[0] ?? '';
}

/** Which slices of the rows file hold the rows from `first` on. */
export function slicesFor({ first, count }: { first: number; count: number }): {
  from: number;
  to: number;
  skip: number;
} {
  const from = Math.floor(first / rowsPerSlice);
  return {
    from,
    to: Math.floor((first + Math.max(1, count) - 1) / rowsPerSlice) + 1,
    skip: first - from * rowsPerSlice,
  };
}

export function presentSheet(row: SheetRow): Sheet {
  return {
    id: row.id,
    name: row.name,
    bytes: row.bytes,
    columns: row.columns,
    rows: row.rows,
    blank_rows: row.blank_rows,
    dialect: { encoding: row.encoding, delimiter: row.delimiter, header: row.header },
    is_sure: row.is_sure,
    candidates: row.candidates,
    sample: row.sample,
    report: row.report,
    created_at: row.created_at.toISOString(),
  };
}
