import type { deleteBatch, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { deleteUnusedSheet } from '../../files/sheets.ts';
import { lockSheet } from '../../files/store.ts';
import { type BatchRow, findBatch, updateBatch } from '../store/batches.ts';
import { deleteResults } from '../store/results.ts';
import { deleteSlices } from '../store/slices.ts';
import { admitAction } from './actions.ts';
import { releaseHold } from './reserve-credits.ts';

/** Prompts, answers and the file go; that it was there, and what it cost, stays. */
export async function deleteOwnBatch(
  ctx: Context,
  acting: ActingFor,
  { id }: ParsedRequestOf<typeof deleteBatch>,
) {
  const { actor, subjectId } = acting;
  await inTransaction(ctx, async (inside) => {
    // Always the sheet before its batch, as whoever makes one of it does.
    const known = await findBatch(inside.db, { id, userId: subjectId });
    if (known) await lockSheet(inside.db, known.sheet_id);
    const { batch } = await admitAction(inside, acting, { id, action: 'delete' });
    // Rows that are still in flight after a stop have nowhere to go any more, and are not charged.
    await releaseHold(inside, batch);
    await forgetBatch(inside, batch);
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'batch_deleted',
      detail: { batch: id },
    });
    await inside.publish(inside.db, { user_id: subjectId, batch_id: id, is_deleted: true });
  });
  record(ctx, 'batch_deleted', { user_id: subjectId, actor_id: actor.id, batch: id });
  return { message: 'The batch is deleted.' };
}

export async function forgetBatch(ctx: Context, batch: BatchRow): Promise<void> {
  await deleteResults(ctx.db, batch.id);
  await deleteSlices(ctx.db, batch.id);
  const nothing = {
    name: '',
    question: '',
    variables: '{}',
    options: '{"outputs":[]}',
    selection: null,
    pause_detail: null,
  };
  await updateBatch(ctx.db, batch.id, { ...nothing, deleted_at: ctx.clock.now() });
  await deleteUnusedSheet(ctx, batch.sheet_id);
}
