import {
  type Batch,
  type BatchAction,
  deleteBatch,
  getAvailableCredits,
  playOrPause,
  retryFailed,
  stopFileProcessing,
} from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches.ts';
import { applyEvent } from '../live-progress.ts';

type ChangingAction = Exclude<BatchAction, 'download'>;

interface Answer {
  batch?: Batch;
}

const calls: Record<ChangingAction, (id: string) => Promise<Answer>> = {
  play: (id) => call(playOrPause, { id, status: 'play' }),
  pause: (id) => call(playOrPause, { id, status: 'pause' }),
  stop: (id) => call(stopFileProcessing, { id }),
  retryFailed: (id) => call(retryFailed, { id }),
  delete: async (id) => {
    await call(deleteBatch, { id });
    return {};
  },
};

/** Changes a batch and shows the answer at once. While a change is in flight, another press does nothing. */
export function useBatchActions(id: string, onDeleted?: () => Promise<void> | void) {
  const change = useMutation({
    mutationFn: (action: ChangingAction) => calls[action](id),
    onSuccess: async ({ batch }, action) => {
      showToast('success', successMessage(action, batch));
      if (action === 'delete') await onDeleted?.();
      applyEvent(batch ? { kind: 'batch', batch } : { kind: 'batch_deleted', id });
      await invalidate(getAvailableCredits);
    },
    onError: (error) => showToast('error', errorMessage(error)),
  });
  return {
    isBusy: change.isPending,
    error: change.error,
    act: (action: ChangingAction) => {
      if (!change.isPending) change.mutate(action);
    },
  };
}

function successMessage(action: ChangingAction, batch?: Batch): string {
  if (action === 'play') return texts.batchRunning;
  if (action === 'pause') return texts.batchPaused;
  if (action === 'retryFailed') return texts.retryingFailed;
  if (action === 'delete') return texts.batchDeleted;
  const released = batch?.receipt?.returned;
  return released
    ? `${texts.batchStopped} ${texts.submissionsReleased(formatNumber(released))}`
    : texts.batchStopped;
}
