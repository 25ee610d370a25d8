import type { Batch, BatchAction, BatchState } from '@rowmill/contract';

const reasons: Record<BatchAction, Partial<Record<BatchState, string>>> = {
  play: { running: 'It is running.', stopped: 'A stopped batch stays stopped.', completed: 'Every row is done.' },
  pause: { ready: 'It has not started.', paused: 'It is paused.', stopped: 'It has ended.', completed: 'It has ended.' },
  stop: { ready: 'It has not started.', stopped: 'It has ended.', completed: 'It has ended.' },
  download: {},
  retryFailed: { ready: 'It has not started.', running: 'Possible once it has ended.', paused: 'Possible once it has ended.' },
  delete: { running: 'Stop it first.', paused: 'Stop it first.' },
};

/** Why an action is not possible now, or null when it is. What is possible is the server's word, in `actions`. */
export function reasonAgainst(action: BatchAction, batch: Pick<Batch, 'actions' | 'state' | 'failed'>): string | null {
  if (action === 'retryFailed' && batch.failed === 0) return reasons.retryFailed[batch.state] ?? 'No row has failed.';
  if (batch.actions.includes(action)) return null;
  return reasons[action][batch.state] ?? 'Not possible in the present state.';
}
