import { temporaryPauses } from '@rowmill/contract';
import { after } from '../../../lib/clock.ts';
import type { BatchRow } from '../store/batches.ts';

/**
 * Moves the deadline by the time that the owner held up the batch. After it rows go to the normal
 * tier at half the price, which pausing must not give.
 */
export function laterDeadline(batch: BatchRow, now: Date): Date | null {
  const since = heldUpSince(batch);
  if (!batch.finish_by || !since) return batch.finish_by;
  return after(batch.finish_by, now.getTime() - since.getTime());
}

function heldUpSince({ state, pause_reason, created_at, paused_at, ended_at }: BatchRow) {
  if (state === 'ready') return created_at;
  if (state !== 'paused') return ended_at;
  return temporaryPauses.includes(pause_reason) ? null : paused_at;
}
