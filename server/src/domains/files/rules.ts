import type { Sheet } from '@rowmill/contract';
import type { Selectable } from 'kysely';
import type { SheetTable } from '../../db/schema.ts';
import type { Job } from '../../jobs/job.ts';
import { type Dialect, rowsPerBlock, usualLayout } from '../../lib/csv/sheet.ts';

export type SheetRow = Selectable<Omit<SheetTable, 'offsets' | 'view'>>;

export function originalKey(sheetId: string): string {
  return `${sheetId}/original`;
}

/** Each dialect has its own rows file, so a record points only into rows of its dialect. */
export function rowsKey(sheetId: string, { encoding, delimiter, header, layout }: Dialect): string {
  const rest = Object.entries(layout).map(([name, value]) => `-${name}-${value}`);
  return `${sheetId}/rows-${encoding}-${delimiter.charCodeAt(0)}-${header ? 'header' : 'plain'}${rest.sort().join('')}`;
}

/** Every key begins with the id of its sheet. */
export function sheetIdOf(key: string): string {
  return key.split('/', 1)[0] ?? '';
}

/** The blocks of the rows file that contain these rows, and the first row of the first block. */
export function blocksFor({ first, last }: { first: number; last: number }) {
  const from = Math.floor(first / rowsPerBlock);
  return { from, to: Math.floor(last / rowsPerBlock) + 1, firstRow: from * rowsPerBlock };
}

/**
 * The name of a file that is made of a sheet: `prices.tsv` gives `prices-answers.tsv`. `name` is
 * that of its batch, which tells files of the same sheet apart.
 */
export function derivedName(
  sheet: string,
  what: 'answers' | 'repaired',
  { name = sheet, extension }: { name?: string; extension?: string } = {},
) {
  const own = /\.\w{1,5}$/.exec(sheet)?.[0] ?? '';
  const base = name.endsWith(own) ? name.slice(0, name.length - own.length) : name;
  return `${base}-${what}${extension ?? (own || '.csv')}`;
}

export function presentSheet(row: SheetRow): Sheet {
  return {
    id: row.id,
    name: row.name,
    bytes: row.bytes,
    columns: row.columns,
    rows: row.rows,
    blank_rows: row.blank_rows,
    dialect: {
      format: 'delimited',
      encoding: row.encoding,
      delimiter: row.delimiter,
      header: row.header,
      worksheet: null,
      ...usualLayout,
      ...row.layout,
    },
    worksheets: row.worksheets,
    is_sure: row.dialect_confirmed,
    candidates: row.candidates,
    sample: row.sample,
    report: row.report,
    created_at: row.created_at.toISOString(),
  };
}

/** Removes a sheet's files once the transaction that deletes it is committed. */
export function removeFiles(sheetId: string): Job {
  return { name: 'files.remove', payload: { sheetId } };
}
