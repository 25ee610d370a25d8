import type { ParsedRequestOf, reviseFile } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { type Reading, readUpload, recordOf, wantedDialect } from './read-upload.ts';
import { originalKey, presentSheet, rowsKey } from './rules.ts';
import { findSheet, getSheet, hasBatches, lockSheet, updateSheet } from './store.ts';

/** Reads the same bytes in another way. Rows that a batch counts on must stay what they are. */
export async function reviseSheet(ctx: Context, acting: Acting, request: ParsedRequestOf<typeof reviseFile>) {
  const { id } = request;
  const { subjectId } = acting;
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  await countTry(ctx, limits.reviseByPerson, subjectId);
  const source = await ctx.files.fetch(originalKey(id));
  const reading = await readUpload(ctx, source, wantedDialect(request));
  try {
    const { revised, formerKey } = await replaceReading(ctx, acting, { id, reading });
    const isOther = formerKey !== rowsKey(id, reading.dialect);
    if (isOther) await ctx.files.remove(formerKey);
    return { file: presentSheet(revised) };
  } finally {
    await ctx.files.discard(reading.rowsPath);
  }
}

/** The new rows stand beside the old ones until the record that points to them is committed. */
async function replaceReading(ctx: Context, { actor, subjectId }: Acting, { id, reading }: { id: string; reading: Reading }) {
  return inTransaction(ctx, async (inside) => {
    await lockSheet(inside.db, id);
    if (await hasBatches(inside.db, id)) {
      refuse('not_now', { message: 'A batch uses this sheet already. Please upload the file again to read it in another way.' });
    }
    const formerKey = rowsKey(id, await getSheet(inside.db, id));
    await ctx.files.keep(reading.rowsPath, rowsKey(id, reading.dialect));
    const revised = await updateSheet(inside.db, id, recordOf(reading));
    await writeAuditEntry(inside, { actorId: actor.id, subjectId, act: 'sheet_revised', detail: { sheet: id } });
    return { revised, formerKey };
  });
}
