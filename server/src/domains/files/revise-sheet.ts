import type { ParsedRequestOf, reviseFile } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { type Db, inTransaction } from '../../db/transaction.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { type Reading, readUpload, recordOf, wantedDialect } from './read-upload.ts';
import { originalKey, presentSheet, rowsKey, type SheetRow } from './rules.ts';
import { findSheet, getSheet, hasBatches, lockSheet, updateSheet } from './store.ts';

/** Reads the same bytes in another way. Rows that a batch counts on must stay what they are. */
export async function reviseSheet(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof reviseFile>,
) {
  const { id } = request;
  const { subjectId } = acting;
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  await refuseInUse(ctx.db, id);
  await countTry(ctx, limits.reviseByPerson, subjectId);
  await using source = await ctx.files.fetch(originalKey(id));
  const reading = await readUpload(ctx, source.path, wantedDialect(request));
  try {
    return { file: presentSheet(await replaceReading(ctx, acting, { id, reading })) };
  } finally {
    await ctx.files.discard(reading.rowsPath);
  }
}

async function refuseInUse(db: Db, id: string): Promise<void> {
  if (!(await hasBatches(db, id))) return;
  refuse('not_now', {
    message:
      'A batch uses this sheet already. Please upload the file again to read it in another way.',
  });
}

interface Revision {
  id: string;
  reading: Reading;
}

/** The new rows stand beside the old ones until the record that points to them is committed. */
async function replaceReading(
  ctx: Context,
  acting: Acting,
  { id, reading }: Revision,
): Promise<SheetRow> {
  const key = rowsKey(id, reading.dialect);
  await ctx.files.keep(reading.rowsPath, key);
  const { revised, formerKey } = await pointTo(ctx, acting, { id, reading }).catch(
    async (error) => {
      await removeUnused(ctx, id, key);
      throw error;
    },
  );
  await removeUnused(ctx, id, formerKey);
  return revised;
}

async function pointTo(ctx: Context, { actor, subjectId }: Acting, { id, reading }: Revision) {
  return inTransaction(ctx, async (inside) => {
    await lockSheet(inside.db, id);
    await refuseInUse(inside.db, id);
    const formerKey = rowsKey(id, await getSheet(inside.db, id));
    const revised = await updateSheet(inside.db, id, recordOf(reading));
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'sheet_revised',
      detail: { sheet: id },
    });
    return { revised, formerKey };
  });
}

/** Read in the same way as before, a sheet has the same rows in the same file. */
async function removeUnused(ctx: Context, id: string, key: string): Promise<void> {
  if (rowsKey(id, await getSheet(ctx.db, id)) !== key) await ctx.files.remove(key);
}
