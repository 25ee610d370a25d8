import type { Batch, BatchAction } from '@rowmill/contract';
import { CirclePause, CirclePlay, CircleStop, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { ActionButton } from './action-button.tsx';
import { reasonAgainst } from './action-reasons.ts';
import { ConfirmChange } from './confirm-action.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { type BatchChange, useBatchActions } from './use-batch-actions.ts';

interface Props {
  batch: Batch;
  /** In a list: what is not possible now goes into the menu. */
  isSmall?: boolean;
  onDeleted?: () => Promise<void> | void;
}

/** Everything that can be done with a batch. What its state does not allow says why, instead of hiding. */
export function BatchActions({ batch, isSmall = false, onDeleted }: Props) {
  const { act, isBusy } = useBatchActions(batch.id, onDeleted);
  const [asking, setAsking] = useState<BatchChange | null>(null);
  const shared = (action: BatchAction) => ({
    of: batch.name,
    reason: reasonAgainst(action, batch),
    isBusy,
  });
  const drive = driveOf(batch);
  const isPut = (action: BatchAction) => isSmall && shared(action).reason !== null;
  const face = (action: BatchAction) => ({ ...shared(action), isSmall: isSmall && !isPut(action) });
  const driving = (
    <ActionButton {...face(drive.action)} {...drive.face} onAct={() => act(drive.action)} />
  );
  const stopping = (
    <ActionButton
      {...face('stop')}
      label={texts.stop}
      icon={CircleStop}
      onAct={() => setAsking('stop')}
    />
  );
  return (
    <div className="batch-actions">
      {!isPut(drive.action) && driving}
      {!isPut('stop') && stopping}
      <DownloadMenu batch={batch} />
      <MenuButton label={texts.more} of={batch.name} isSmall={isSmall}>
        <ActionButton
          {...shared('retryFailed')}
          label={texts.retryFailed(formatNumber(batch.failed))}
          icon={RotateCcw}
          onAct={() => setAsking('retryFailed')}
        />
        {isPut(drive.action) && driving}
        {isPut('stop') && stopping}
        <ActionButton
          {...shared('delete')}
          label={texts.remove}
          icon={Trash2}
          variant="danger"
          onAct={() => setAsking('delete')}
        />
      </MenuButton>
      {asking && (
        <ConfirmChange
          batch={batch}
          change={asking}
          onConfirm={() => act(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

function driveOf({ state }: Batch) {
  if (state === 'running')
    return { action: 'pause', face: { label: texts.pause, icon: CirclePause } } as const;
  return {
    action: 'play',
    face: { label: state === 'ready' ? texts.play : texts.resume, icon: CirclePlay },
  } as const;
}
