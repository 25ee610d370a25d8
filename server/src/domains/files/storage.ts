import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { withTotal } from '../../db/lists.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after, day } from '../../lib/clock.ts';
import * as texts from '../../texts/sheets.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { dropAnswersAbout } from '../requests/store.ts';
import { deleteSheets, deleteUnusedSheet } from './sheets.ts';
import {
  findSheet,
  hasBatches,
  listSheets,
  listUnusedSheets,
  lockSheet,
  lockSheets,
  type SheetFilter,
  sumStorage,
} from './store.ts';

const sheetsAtOnce = 200;

/** A person's sheets, the newest first, and how much of their storage is used. */
export const listOwnSheets: Handler<'listFiles'> = async (ctx, { subjectId }, page) => {
  const { quotaBytes, unusedDays } = ctx.config.sheets;
  const { rows, total } = await withTotal({ ...page, userId: subjectId }, (page) =>
    listSheets(ctx.db, page),
  );
  return {
    files: rows.map(({ total: _, created_at, ...sheet }) => ({
      ...sheet,
      created_at: created_at.toISOString(),
      expires_at: sheet.batches > 0 ? null : after(created_at, unusedDays * day).toISOString(),
    })),
    total,
    storage: {
      used_bytes: await sumStorage(ctx.db, subjectId),
      quota_bytes: quotaBytes,
      unused_days: unusedDays,
    },
  };
};

/** Only a sheet that no batch uses: its rows are part of every result. */
export const deleteOwnSheet: Handler<'deleteFile'> = async (ctx, { actor, subjectId }, { id }) => {
  await inTransaction(ctx, async (ctx) => {
    if (!(await findSheet(ctx.db, { id, userId: subjectId }))) refuse('not_found');
    if (!(await lockSheet(ctx.db, id))) refuse('not_found');
    if (await hasBatches(ctx.db, id)) refuse('not_now', { message: texts.deleteBatchesFirst });
    await deleteUnusedSheet(ctx, id);
    await writeAuditEntry(ctx, { actor, subjectId }, 'sheet_deleted', { sheet: id });
  });
  return { message: texts.deleted };
};

/** Refuses what would exceed the person's storage by this many more bytes. */
export async function refuseOverQuota(ctx: Context, userId: string, more: number): Promise<void> {
  const { quotaBytes } = ctx.config.sheets;
  const used = await sumStorage(ctx.db, userId);
  if (used + more > quotaBytes)
    refuse('storage_full', { message: texts.quotaReached(used, quotaBytes) });
}

/** Deletes the sheets that no batch has used for some weeks. */
export async function deleteExpiredSheets(ctx: Context): Promise<void> {
  const before = after(ctx.clock.now(), -ctx.config.sheets.unusedDays * day);
  await deleteUnusedSheets(ctx, { before });
}

/** Some in each transaction: others wait for it on the embedded database. */
export async function deleteUnusedSheets(ctx: Context, filter: SheetFilter): Promise<void> {
  const isPartFull = () => inTransaction(ctx, (ctx) => deleteSome(ctx, filter));
  while (await isPartFull());
}

async function deleteSome(ctx: Context, filter: SheetFilter): Promise<boolean> {
  const ids = await listUnusedSheets(ctx.db, filter, sheetsAtOnce);
  await lockSheets(ctx.db, ids);
  // A batch of one may have been created until it was locked.
  const unused = await listUnusedSheets(ctx.db, { ids }, sheetsAtOnce);
  await dropAnswersAbout(ctx.db, unused);
  await deleteSheets(ctx, unused);
  return ids.length === sheetsAtOnce;
}
