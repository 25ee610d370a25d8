import type { Batch, BatchAction } from '@rowmill/contract';
import { CirclePause, CirclePlay, CircleStop, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { waitingRows } from '../../../entities/batch/description.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { ActionButton } from './action-button.tsx';
import { reasonAgainst } from './action-reasons.ts';
import { ConfirmAction, type ConfirmedAction } from './confirm-action.tsx';
import { useBatchActions } from './use-batch-actions.ts';

/** The buttons of a batch, for its page and its menu. An unavailable one says why. */
export function useActionButtons(batch: Batch, onDeleted?: () => Promise<void> | void) {
  const { act, isBusy, error } = useBatchActions(batch, onDeleted);
  const [toConfirm, setToConfirm] = useState<ConfirmedAction | null>(null);
  const propsOf = (action: BatchAction) => ({
    of: batch.name,
    reason: reasonAgainst(action, batch),
    isBusy,
  });
  const playOrPause = batch.state === 'running' ? 'pause' : 'play';
  return {
    playOrPause: (
      <>
        <ActionButton
          {...propsOf(playOrPause)}
          label={playOrPauseLabel(batch)}
          icon={playOrPause === 'pause' ? CirclePause : CirclePlay}
          onAct={() => (startsManyRows(batch) ? setToConfirm('play') : act(playOrPause))}
        />
        {playOrPause === 'play' && batch.actions.includes('pause') && (
          <ActionButton
            {...propsOf('pause')}
            label={texts.keepPaused}
            icon={CirclePause}
            onAct={() => act('pause')}
          />
        )}
      </>
    ),
    stop: (
      <ActionButton
        {...propsOf('stop')}
        label={texts.stop}
        icon={CircleStop}
        onAct={() => setToConfirm('stop')}
      />
    ),
    retryFailed: (
      <ActionButton
        {...propsOf('retryFailed')}
        label={
          batch.failed > 0 ? texts.retryFailed(formatNumber(batch.failed)) : texts.retryFailedRows
        }
        icon={RotateCcw}
        onAct={() => setToConfirm('retryFailed')}
      />
    ),
    remove: (
      <ActionButton
        {...propsOf('delete')}
        label={texts.remove}
        icon={Trash2}
        variant="danger"
        onAct={() => setToConfirm('delete')}
      />
    ),
    /** The error of the last action and the dialog that asks before one. */
    aside: (
      <>
        <ErrorNote error={error} />
        {toConfirm && (
          <ConfirmAction
            batch={batch}
            action={toConfirm}
            onConfirm={() => act(toConfirm)}
            onClose={() => setToConfirm(null)}
          />
        )}
      </>
    ),
  };
}

/** A preview showed no cost of the whole sheet. */
const fewRows = 5;

function startsManyRows(batch: Batch): boolean {
  return batch.state === 'ready' && waitingRows(batch) > fewRows;
}

function playOrPauseLabel({ state }: Batch): string {
  if (state === 'running') return texts.pause;
  return state === 'ready' ? texts.play : texts.resume;
}
