import type { Batch } from '@rowmill/contract';
import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import * as texts from '../../../texts/batches/batch.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { noRows, type RowChoice } from '../rows/row-selection.tsx';
import { ActionButton } from './action-button.tsx';
import { reasonAgainst } from './action-reasons.ts';
import styles from './batch-actions.module.css';
import { ChangeOptions } from './change-options.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { RunAgainMenu } from './run-again-menu.tsx';
import { useActionButtons } from './use-action-buttons.tsx';

interface Props {
  batch: Batch;
  selected?: RowChoice;
  onDeleted?: () => Promise<void> | void;
}

/** All actions on a batch, on its page. Outside of the menu, no button does nothing. */
export function BatchActions({ batch, selected = noRows, onDeleted }: Props) {
  const { playOrPause, stop, retryFailed, remove, aside } = useActionButtons(batch, onDeleted);
  const [isChanging, setChanging] = useState(false);
  const isEnded = batch.ended_at !== null;
  const canStop = reasonAgainst('stop', batch) === null;
  const canRetry = reasonAgainst('retryFailed', batch) === null;
  const focus = useFocusWithin();
  return (
    <div className={styles.actions} {...focus}>
      {!isEnded && playOrPause}
      {canStop && stop}
      <DownloadMenu batch={batch} isPrimary={isEnded} />
      {canRetry && retryFailed}
      {isEnded && <RunAgainMenu batch={batch} selected={selected} />}
      <MenuButton label={texts.more} of={batch.name} isSmall variant="secondary">
        {!canRetry && retryFailed}
        <ActionButton
          of={batch.name}
          reason={reasonAgainst('changeOptions', batch)}
          label={texts.changeOptions}
          icon={SlidersHorizontal}
          onAct={() => setChanging(true)}
        />
        {remove}
      </MenuButton>
      {aside}
      {isChanging && <ChangeOptions batch={batch} onClose={() => setChanging(false)} />}
    </div>
  );
}

/** When the focused button disappears, its focus goes to the first one, not to the page. */
function useFocusWithin() {
  const ref = useRef<HTMLDivElement>(null);
  const isWithin = useRef(false);
  useEffect(() => {
    if (isWithin.current && document.activeElement === document.body)
      ref.current?.querySelector('button')?.focus();
  });
  const onFocus = () => {
    isWithin.current = true;
  };
  // React reports none for an element that it removes.
  const onBlur = () => {
    isWithin.current = false;
  };
  return { ref, onFocus, onBlur };
}
