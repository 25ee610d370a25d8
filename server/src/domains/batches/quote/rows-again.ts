import type { RowsAgain } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import type { SheetRow } from '../../files/rules.ts';
import { findRows } from '../results/find-rows.ts';
import { selectedRows } from '../slices/sizes.ts';
import { findBatch } from '../store/batches.ts';
import { listDoneRows, listRowsIn } from '../store/results.ts';

interface Wanted {
  userId: string;
  sheet: SheetRow;
  again: { batch: string; rows: RowsAgain };
}

/** Rows per query, so that other work gets its turn in between. */
const rowsAtOnce = 10_000;

/** The rows of an earlier batch that are to run again; undefined for the whole sheet. */
export async function listRowsAgain(
  ctx: Context,
  { userId, sheet, again }: Wanted,
): Promise<Iterable<number> | undefined> {
  const batch = await findBatch(ctx.db, { id: again.batch, userId });
  if (batch?.sheet_id !== sheet.id) refuse('not_found');
  const { rows } = again;
  const isWholeSheet = batch.selected_rows === null && batch.rows >= sheet.rows;
  if (rows === 'all' && isWholeSheet) return undefined;
  const selected = selectedRows(batch);
  const end = selected?.end ?? batch.rows;
  const isInBatch = (row: number) => selected?.has(row) ?? row < end;
  if (Array.isArray(rows)) return rows.filter(isInBatch);
  if (typeof rows !== 'string') {
    const { except = [], ...search } = rows;
    const left = new Set(except);
    return (await findRows(ctx, batch, { search })).filter((row) => !left.has(row));
  }
  const found: number[] = [];
  for (let first = 0; first < end; first += rowsAtOnce) {
    const range = { batchId: batch.id, first, last: Math.min(first + rowsAtOnce, end) - 1 };
    for (const row of await rowsBetween(ctx, { ...range, rows }))
      if (isInBatch(row)) found.push(row);
  }
  return found;
}

interface Range {
  batchId: string;
  first: number;
  last: number;
  rows: Extract<RowsAgain, string>;
}

async function rowsBetween(ctx: Context, { rows, ...range }: Range) {
  if (rows === 'failed' || rows === 'marked') return listRowsIn(ctx.db, { ...range, filter: rows });
  const every = Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at);
  if (rows === 'all') return every;
  const done = new Set(await listDoneRows(ctx.db, range));
  return every.filter((row) => !done.has(row));
}
