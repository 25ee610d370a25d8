import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { lockOwnBatch, updateBatch } from '../store/batches.ts';
import { describeBatch } from '../views.ts';

/** Gives a batch another name in every state. Its sheet keeps the name of the file. */
export const renameOwnBatch: Handler<'renameBatch'> = async (
  ctx,
  { actor, subjectId },
  { id, name },
) => {
  const batch = await inTransaction(ctx, async (ctx) => {
    if (!(await lockOwnBatch(ctx.db, { id, userId: subjectId }))) refuse('not_found');
    await writeAuditEntry(ctx, { actor, subjectId }, 'batch_renamed', { batch: id });
    const batch = await updateBatch(ctx.db, id, { name });
    await ctx.publish(ctx.db, { user_id: subjectId, batch_id: id, state: batch.state });
    return batch;
  });
  return { batch: await describeBatch(ctx, batch), message: texts.renamed };
};
