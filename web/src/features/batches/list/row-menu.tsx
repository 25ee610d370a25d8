import type { Batch } from '@rowmill/contract';
import { CirclePause, CirclePlay, CircleStop, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { ActionButton } from '../actions/action-button.tsx';
import { reasonAgainst } from '../actions/action-reasons.ts';
import { ConfirmAction, type ConfirmedAction } from '../actions/confirm-action.tsx';
import { DownloadMenu } from '../actions/download-menu.tsx';
import { useBatchActions } from '../actions/use-batch-actions.ts';
import { RenameDialog } from './rename-dialog.tsx';

/** Every action on a batch of the list, in one menu. */
export function RowMenu({ batch, onDeleted }: { batch: Batch; onDeleted: () => void }) {
  const { act, isBusy, error } = useBatchActions(batch.id, onDeleted);
  const [toConfirm, setToConfirm] = useState<ConfirmedAction | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const playOrPause = batch.state === 'running' ? 'pause' : 'play';
  const entry = (action: 'play' | 'pause' | 'stop' | 'retryFailed' | 'delete') => ({
    of: batch.name,
    reason: reasonAgainst(action, batch),
    isBusy,
  });
  return (
    <>
      <DownloadMenu batch={batch} isSmall />
      <MenuButton label={texts.more} of={batch.name} isSmall>
        <ActionButton
          {...entry(playOrPause)}
          label={playOrPause === 'pause' ? texts.pause : texts.resume}
          icon={playOrPause === 'pause' ? CirclePause : CirclePlay}
          onAct={() => act(playOrPause)}
        />
        <ActionButton
          {...entry('stop')}
          label={texts.stop}
          icon={CircleStop}
          onAct={() => setToConfirm('stop')}
        />
        <ActionButton
          {...entry('retryFailed')}
          label={texts.retryFailed(formatNumber(batch.failed))}
          icon={RotateCcw}
          onAct={() => setToConfirm('retryFailed')}
        />
        <ActionButton
          label={texts.rename}
          of={batch.name}
          icon={Pencil}
          onAct={() => setRenaming(true)}
        />
        <ActionButton
          {...entry('delete')}
          label={texts.remove}
          icon={Trash2}
          variant="danger"
          onAct={() => setToConfirm('delete')}
        />
      </MenuButton>
      <ErrorNote error={error} />
      {isRenaming && <RenameDialog batch={batch} onClose={() => setRenaming(false)} />}
      {toConfirm && (
        <ConfirmAction
          batch={batch}
          action={toConfirm}
          onConfirm={() => act(toConfirm)}
          onClose={() => setToConfirm(null)}
        />
      )}
    </>
  );
}
