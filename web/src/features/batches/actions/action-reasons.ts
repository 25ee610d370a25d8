import type { Batch, BatchAction, BatchState } from '@rowmill/contract';
import * as texts from '../../../texts/batches/batch.ts';

const reasons: Record<BatchAction, Partial<Record<BatchState, string>>> = {
  play: {
    running: texts.alreadyRunning,
    stopped: texts.stoppedForGood,
    completed: texts.everyRowDone,
  },
  pause: {
    ready: texts.hasNotStarted,
    paused: texts.alreadyPaused,
    stopped: texts.hasEnded,
    completed: texts.hasEnded,
  },
  stop: { ready: texts.hasNotStarted, stopped: texts.hasEnded, completed: texts.hasEnded },
  download: {},
  retryFailed: { ready: texts.hasNotStarted, running: texts.waitForEnd, paused: texts.waitForEnd },
  changeOptions: {
    ready: texts.hasNotStarted,
    running: texts.pauseFirst,
    stopped: texts.noFailedRows,
    completed: texts.noFailedRows,
  },
  delete: { running: texts.stopFirst, paused: texts.stopFirst },
};

/** Why an action is not available, or null. `actions` of the server says which are available. */
export function reasonAgainst(
  action: BatchAction,
  batch: Pick<Batch, 'actions' | 'state' | 'failed'>,
): string | null {
  if (action === 'retryFailed' && batch.failed === 0)
    return reasons.retryFailed[batch.state] ?? texts.noFailedRows;
  if (batch.actions.includes(action)) return null;
  return reasons[action][batch.state] ?? texts.notAvailable;
}
