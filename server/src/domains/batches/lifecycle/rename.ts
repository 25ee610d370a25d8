import type { CallRequest } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { lockOwnBatch, updateBatch } from '../store/batches.ts';
import { describeBatch } from '../views.ts';

/** Gives a batch another name in every state. Its sheet keeps the name of the file. */
export async function renameOwnBatch(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { id, name }: CallRequest<'renameBatch'>,
) {
  const batch = await inTransaction(ctx, async (ctx) => {
    if (!(await lockOwnBatch(ctx.db, { id, userId: subjectId }))) refuse('not_found');
    await writeAuditEntry(ctx, { actorId: actor.id, subjectId }, 'batch_renamed', { batch: id });
    const batch = await updateBatch(ctx.db, id, { name });
    await ctx.publish(ctx.db, { user_id: subjectId, batch_id: id, state: batch.state });
    return batch;
  });
  return { batch: await describeBatch(ctx, batch), message: texts.renamed };
}
