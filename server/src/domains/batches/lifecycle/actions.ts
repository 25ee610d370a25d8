import type { BatchAction, BatchState } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { actionsOf } from '../rules.ts';
import { type BatchRow, lockOwnBatch } from '../store/batches.ts';

/** The state in which an action has nothing left to do. */
const targets: Partial<Record<BatchAction, BatchState>> = {
  play: 'running',
  pause: 'paused',
  stop: 'stopped',
};

const words: Record<BatchState, string> = {
  ready: 'has not begun yet',
  running: 'is running',
  paused: 'is paused',
  stopped: 'was stopped',
  completed: 'is completed',
};

/** Locks a batch of the person's for an action, if the table of states allows it now. Belongs into a transaction. */
export async function admitAction(
  ctx: Context,
  { subjectId }: ActingFor,
  { id, action }: { id: string; action: BatchAction },
): Promise<{ batch: BatchRow; isThere: boolean }> {
  const batch = await lockOwnBatch(ctx.db, { id, userId: subjectId });
  if (!batch) refuse('not_found');
  if (batch.state === targets[action]) return { batch, isThere: true };
  if (!actionsOf(batch).includes(action)) {
    refuse('not_now', {
      message: `This is not possible: the batch ${words[batch.state]}.`,
      fields: { state: batch.state },
    });
  }
  return { batch, isThere: false };
}
