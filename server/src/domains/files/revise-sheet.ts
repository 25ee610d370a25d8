import type { ParsedRequestOf, reviseFile } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { refuse } from '../../refusal.ts';
import { forgetOffsets } from './read-sheet-rows.ts';
import { readUpload, recordOf, wantedDialect } from './read-upload.ts';
import { originalKey, presentSheet, rowsKey } from './rules.ts';
import { findSheet, hasBatches, lockSheet, updateSheet } from './store.ts';

/** Reads the same bytes in another way. Rows that a batch counts on must stay what they are. */
export async function reviseSheet(ctx: Context, { subjectId }: Acting, request: ParsedRequestOf<typeof reviseFile>) {
  const { id } = request;
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  const source = await ctx.files.fetch(originalKey(id));
  const reading = await readUpload(ctx, source, wantedDialect(request));
  const revised = await inTransaction(ctx, async (inside) => {
    await lockSheet(inside.db, id);
    if (await hasBatches(inside.db, id)) {
      await ctx.files.discard(reading.rowsPath);
      refuse('not_now', { message: 'A batch uses this sheet already. Please upload the file again to read it in another way.' });
    }
    const row = await updateSheet(inside.db, id, recordOf(reading));
    await ctx.files.keep(reading.rowsPath, rowsKey(id));
    return row;
  });
  forgetOffsets(id);
  return { file: presentSheet(revised) };
}
