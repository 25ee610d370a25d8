import type { RowSearch, RowsAgain } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import * as texts from '../../../texts/batches.ts';
import type { SheetRow } from '../../files/rules.ts';
import { findRows } from '../results/find-rows.ts';
import { selectedRows, sheetRows } from '../slices/sizes.ts';
import { findBatch } from '../store/batches.ts';

interface Wanted {
  userId: string;
  sheet: SheetRow;
  again: { batch: string; rows: RowsAgain };
}

const filters = { failed: 'failed', marked: 'marked', not_run: 'waiting' } as const;

/** The rows of an earlier batch that are to run again; undefined for the whole sheet. */
export async function listRowsAgain(
  ctx: Context,
  { userId, sheet, again }: Wanted,
): Promise<Iterable<number> | undefined> {
  const batch = await findBatch(ctx.db, { id: again.batch, userId });
  if (!batch) refuse('not_found', { message: texts.batchToRunAgainIsGone });
  if (batch.sheet_id !== sheet.id) refuse('not_found');
  const { rows } = again;
  const isWholeSheet = batch.selected_rows === null && batch.rows >= sheet.rows;
  if (rows === 'all')
    return isWholeSheet ? undefined : sheetRows(batch, { first: 0, count: batch.rows });
  if (typeof rows === 'string') {
    const search: RowSearch = { filter: filters[rows], search: '', conditions: [] };
    return findRows(ctx, batch, { search });
  }
  if (Array.isArray(rows)) {
    const selected = selectedRows(batch);
    return rows.filter((row) => selected?.has(row) ?? row < batch.rows);
  }
  const { except = [], ...search } = rows;
  const left = new Set(except);
  return (await findRows(ctx, batch, { search })).filter((row) => !left.has(row));
}
