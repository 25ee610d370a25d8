import type { Batch } from '@rowmill/contract';
import { CirclePause, CirclePlay, CircleStop, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { reasonAgainst } from '../action-reasons.ts';
import { type BatchChange, useBatchActions } from '../use-batch-actions.ts';
import { ActionButton } from './action-button.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { MenuButton } from './menu-button.tsx';

interface Props {
  batch: Batch;
  onDeleted?: () => Promise<void> | void;
}

/** Everything that can be done with a batch. What its state does not allow says why, instead of hiding. */
export function BatchActions({ batch, onDeleted }: Props) {
  const { act, isBusy } = useBatchActions(batch.id, onDeleted);
  const [asking, setAsking] = useState<BatchChange | null>(null);
  const shared = (action: BatchChange) => ({ of: batch.name, reason: reasonAgainst(action, batch), isBusy });
  return (
    <div className="batch-actions">
      {batch.state === 'running' ? (
        <ActionButton {...shared('pause')} label="Pause" icon={CirclePause} onAct={() => act('pause')} />
      ) : (
        <ActionButton
          {...shared('play')}
          label={batch.state === 'ready' ? 'Play' : 'Resume'}
          icon={CirclePlay}
          onAct={() => act('play')}
        />
      )}
      <ActionButton {...shared('stop')} label="Stop" icon={CircleStop} onAct={() => setAsking('stop')} />
      <DownloadMenu batch={batch} />
      <MenuButton label="More" of={batch.name}>
        <ActionButton
          {...shared('retryFailed')}
          label={`Retry failed (${formatNumber(batch.failed)})`}
          icon={RotateCcw}
          onAct={() => setAsking('retryFailed')}
        />
        <ActionButton {...shared('delete')} label="Delete" icon={Trash2} variant="danger" onAct={() => setAsking('delete')} />
      </MenuButton>
      {asking && <ConfirmChange batch={batch} change={asking} onConfirm={() => act(asking)} onClose={() => setAsking(null)} />}
    </div>
  );
}
