import type { PauseReason } from '@rowmill/contract';
import { after } from '../../../lib/clock.ts';
import type { BatchRow } from '../store/batches.ts';

/** What only its owner can end. */
const reasonsOfOwner: readonly (PauseReason | null)[] = [
  'person',
  'needs_credits',
  'request_refused',
];

/**
 * The deadline of a batch that goes on, later by the time that its owner held it up: past the deadline rows go to the normal
 * tier at half the price, and waiting must not buy that.
 */
export function laterDeadline(batch: BatchRow, now: Date): Date | null {
  const since = heldUpSince(batch);
  if (!batch.finish_by || !since) return batch.finish_by;
  return after(batch.finish_by, now.getTime() - since.getTime());
}

function heldUpSince({ state, pause_reason, created_at, paused_at, ended_at }: BatchRow) {
  if (state === 'ready') return created_at;
  if (state !== 'paused') return ended_at;
  return reasonsOfOwner.includes(pause_reason) ? paused_at : null;
}
