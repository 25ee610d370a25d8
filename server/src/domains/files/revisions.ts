import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { type Db, inTransaction } from '../../db/transaction.ts';
import type { Dialect } from '../../lib/csv/sheet.ts';
import { orUndo } from '../../lib/failed-work.ts';
import * as texts from '../../texts/sheets.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { consumeRateLimit, rateLimits } from '../requests/rate-limits.ts';
import { whileStored } from './rows.ts';
import { originalKey, presentSheet, rowsKey, type SheetRow } from './rules.ts';
import { refuseOverQuota } from './storage.ts';
import { findSheet, getSheet, hasBatches, lockSheet, lockStorage, updateSheet } from './store.ts';
import { chosenDialect, type ImportedUpload, importedColumns, importUpload } from './uploads.ts';

/** Reads the file with another dialect. Refused with batches: their rows must not change. */
export const reviseSheet: Handler<'reviseFile'> = async (ctx, acting, request) => {
  const { id } = request;
  const { subjectId } = acting;
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  await refuseInUse(ctx.db, id);
  await consumeRateLimit(ctx, rateLimits.revisionPerPerson, subjectId);
  const dialect = chosenDialect(request);
  const imported = await whileStored(ctx, { sheetId: id }, () =>
    importAgain(ctx, acting, { id, dialect }),
  );
  try {
    return { file: presentSheet(await replaceRows(ctx, acting, { id, imported })) };
  } finally {
    await ctx.files.discard(imported.rowsPath);
  }
};

async function importAgain(
  ctx: Context,
  acting: ActingFor,
  { id, dialect }: { id: string; dialect: Partial<Dialect> },
): Promise<ImportedUpload> {
  await using source = await ctx.files.fetch(originalKey(id));
  return await importUpload(ctx, acting, { source: source.path, dialect });
}

async function refuseInUse(db: Db, id: string): Promise<void> {
  if (await hasBatches(db, id)) refuse('not_now', { message: texts.usedByBatch });
}

interface Revision {
  id: string;
  imported: ImportedUpload;
}

/** Keeps the old rows file until the record that points to the new one is committed. */
async function replaceRows(
  ctx: Context,
  acting: ActingFor,
  { id, imported }: Revision,
): Promise<SheetRow> {
  const key = rowsKey(id, imported.dialect);
  await whileStored(ctx, { sheetId: id }, () => ctx.files.store(imported.rowsPath, key));
  const updating = updateRecord(ctx, acting, { id, key, imported });
  const { revised, formerKey } = await orUndo(updating, () => removeUnused(ctx, id, key));
  await removeUnused(ctx, id, formerKey);
  return revised;
}

async function updateRecord(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { id, key, imported }: Revision & { key: string },
) {
  return inTransaction(ctx, async (ctx) => {
    if (!(await lockSheet(ctx.db, id))) refuse('not_found');
    // Another revision that ended meanwhile removes the file of the former dialect.
    const stored = await whileStored(ctx, { sheetId: id, key }, () => ctx.files.open(key));
    stored.destroy();
    await refuseInUse(ctx.db, id);
    await lockStorage(ctx.db, subjectId);
    const former = await getSheet(ctx.db, id);
    const formerKey = rowsKey(id, former);
    const rowsBytes = imported.offsets.at(-1) ?? 0;
    await refuseOverQuota(ctx, subjectId, rowsBytes - (former.stored_bytes - former.bytes));
    const revised = await updateSheet(ctx.db, id, importedColumns(imported));
    await writeAuditEntry(ctx, { actor, subjectId }, 'sheet_revised', { sheet: id });
    return { revised, formerKey };
  });
}

/** The same dialect gives the same key, so another revision may have put the file into use. */
async function removeUnused(ctx: Context, id: string, key: string): Promise<void> {
  await inTransaction(ctx, async ({ db, files }) => {
    const isPresent = await lockSheet(db, id);
    if (!isPresent) await files.remove(id);
    else if (rowsKey(id, await getSheet(db, id)) !== key) await files.remove(key);
  });
}
