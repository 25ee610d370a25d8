import type { Batch, BatchAction } from '@rowmill/contract';
import {
  CirclePause,
  CirclePlay,
  CircleStop,
  RotateCcw,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { ActionButton } from './action-button.tsx';
import { reasonAgainst } from './action-reasons.ts';
import styles from './batch-actions.module.css';
import { ChangeOptions } from './change-options.tsx';
import { ConfirmAction, type ConfirmedAction } from './confirm-action.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { RunAgainMenu } from './run-again-menu.tsx';
import { useBatchActions } from './use-batch-actions.ts';

interface Props {
  batch: Batch;
  /** In a list, buttons show only icons and unavailable actions move into the menu. */
  isSmall?: boolean;
  /** The numbers of the rows that are selected on its page. */
  selected?: readonly number[];
  onDeleted?: () => Promise<void> | void;
}

/** All actions on a batch. An unavailable action stays visible and says why. */
export function BatchActions({ batch, isSmall = false, selected = [], onDeleted }: Props) {
  const { act, isBusy, error } = useBatchActions(batch.id, onDeleted);
  const [toConfirm, setToConfirm] = useState<ConfirmedAction | null>(null);
  const [isChanging, setChanging] = useState(false);
  const propsOf = (action: BatchAction) => ({
    of: batch.name,
    reason: reasonAgainst(action, batch),
    isBusy,
  });
  const isEnded = batch.ended_at !== null;
  const isInMenu = (action: BatchAction) => isSmall && propsOf(action).reason !== null;
  /** On its page an ended batch has no buttons that do nothing. */
  const isHidden = (action: BatchAction) => isInMenu(action) || (!isSmall && isEnded);
  const hasRetryButton = !isSmall && propsOf('retryFailed').reason === null;
  const playOrPause = batch.state === 'running' ? 'pause' : 'play';
  const playOrPauseButton = (
    <ActionButton
      {...propsOf(playOrPause)}
      label={playOrPauseLabel(batch)}
      icon={playOrPause === 'pause' ? CirclePause : CirclePlay}
      isSmall={isSmall && !isInMenu(playOrPause)}
      onAct={() => act(playOrPause)}
    />
  );
  const stopButton = (
    <ActionButton
      {...propsOf('stop')}
      label={texts.stop}
      icon={CircleStop}
      isSmall={isSmall && !isInMenu('stop')}
      onAct={() => setToConfirm('stop')}
    />
  );
  const retryButton = (
    <ActionButton
      {...propsOf('retryFailed')}
      label={texts.retryFailed(formatNumber(batch.failed))}
      icon={RotateCcw}
      onAct={() => setToConfirm('retryFailed')}
    />
  );
  return (
    <div className={isSmall ? `${styles.actions} ${styles.compact}` : styles.actions}>
      {!isHidden(playOrPause) && playOrPauseButton}
      {!isHidden('stop') && stopButton}
      <DownloadMenu batch={batch} isPrimary={!isSmall && isEnded} />
      {hasRetryButton && retryButton}
      {!isSmall && isEnded && <RunAgainMenu batch={batch} selected={selected} />}
      <MenuButton label={texts.more} of={batch.name} isSmall>
        {!hasRetryButton && retryButton}
        <ActionButton
          {...propsOf('changeOptions')}
          label={texts.changeOptions}
          icon={SlidersHorizontal}
          onAct={() => setChanging(true)}
        />
        {isInMenu(playOrPause) && playOrPauseButton}
        {isInMenu('stop') && stopButton}
        <ActionButton
          {...propsOf('delete')}
          label={texts.remove}
          icon={Trash2}
          variant="danger"
          onAct={() => setToConfirm('delete')}
        />
      </MenuButton>
      <ErrorNote error={error} />
      {isChanging && <ChangeOptions batch={batch} onClose={() => setChanging(false)} />}
      {toConfirm && (
        <ConfirmAction
          batch={batch}
          action={toConfirm}
          onConfirm={() => act(toConfirm)}
          onClose={() => setToConfirm(null)}
        />
      )}
    </div>
  );
}

function playOrPauseLabel({ state }: Batch): string {
  if (state === 'running') return texts.pause;
  return state === 'ready' ? texts.play : texts.resume;
}
