import {
  allowedBatchActions,
  type BatchAction,
  type BatchState,
  temporaryPauses,
} from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { refuse } from '../../../core/refusal.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { type BatchRow, lockOwnBatch } from '../store/batches.ts';

/** The state in which an action has nothing left to do. */
const targets: Partial<Record<BatchAction, BatchState>> = {
  play: 'running',
  pause: 'paused',
  stop: 'stopped',
};

type Acted = Pick<BatchRow, 'state' | 'failed' | 'pause_reason'>;

export function allowedActions(batch: Acted): BatchAction[] {
  const needsFailed = (action: BatchAction) =>
    action === 'retryFailed' || (action === 'changeOptions' && batch.state !== 'paused');
  return allowedBatchActions[batch.state].filter(
    (action) => (batch.failed > 0 || !needsFailed(action)) && !isDone(batch, action),
  );
}

/** A pause that ends by itself is not the one that a person asks for. */
function isDone({ state, pause_reason: reason }: Acted, action: BatchAction): boolean {
  return state === targets[action] && !(action === 'pause' && temporaryPauses.includes(reason));
}

/** Locks a person's batch for an action, if its state allows the action. Needs a transaction. */
export async function lockForAction(
  ctx: Context,
  { subjectId }: ActingFor,
  { id, action }: { id: string; action: BatchAction },
) {
  const batch = await lockOwnBatch(ctx.db, { id, userId: subjectId });
  if (!batch) refuse('not_found');
  if (isDone(batch, action)) return { batch, isDone: true };
  if (!allowedActions(batch).includes(action)) {
    refuse('not_now', {
      message: texts.notInState(batch.state),
      fields: { state: batch.state },
    });
  }
  return { batch, isDone: false };
}

/** Writes the audit entry, publishes the new state and records the business event. */
export async function reportAction(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  batch: BatchRow,
  act: 'batch_started' | 'batch_played' | 'batch_paused' | 'batch_stopped',
): Promise<void> {
  await writeAuditEntry(ctx, { actor, subjectId }, act, { batch: batch.id });
  await ctx.publish(ctx.db, { user_id: subjectId, batch_id: batch.id, state: batch.state });
  record(ctx, act, {
    user_id: subjectId,
    actor_id: actor.id,
    batch: batch.id,
    rows: batch.rows,
    reason: batch.pause_reason,
  });
}
