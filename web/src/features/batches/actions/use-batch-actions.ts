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
import { showToast } from '../../../lib/toasts.ts';
import { applyEvent } from '../live-progress.ts';

type ChangingAction = Exclude<BatchAction, 'download' | 'changeOptions'>;

interface Answer {
  batch?: Batch;
  message: string;
}

const calls: Record<ChangingAction, (id: string) => Promise<Answer>> = {
  play: (id) => call(playOrPause, { id, status: 'play' }),
  pause: (id) => call(playOrPause, { id, status: 'pause' }),
  stop: (id) => call(stopFileProcessing, { id }),
  retryFailed: (id) => call(retryFailed, { id }),
  delete: (id) => call(deleteBatch, { id }),
};

/** Changes a batch and shows the answer. While it is in flight, another press does nothing. */
export function useBatchActions(
  { id, state }: Pick<Batch, 'id' | 'state'>,
  onDeleted?: () => Promise<void> | void,
) {
  const change = useMutation({
    mutationFn: ({ action }: { action: ChangingAction; before: Batch['state'] }) =>
      calls[action](id),
    onSuccess: async ({ batch, message }, { action }) => {
      showToast('success', message);
      if (action === 'delete') await onDeleted?.();
      applyEvent(batch ? { kind: 'batch', batch } : { kind: 'batch_deleted', id });
      await invalidate(getAvailableCredits);
    },
  });
  return {
    isBusy: change.isPending,
    /** Only until the state changes: the call with the lost answer may have changed it. */
    error: change.variables?.before === state ? change.error : null,
    act: (action: ChangingAction) => {
      if (!change.isPending) change.mutate({ action, before: state });
    },
  };
}
