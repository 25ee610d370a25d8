import type { LucideIcon } from 'lucide-react';
import { type MouseEvent, useId } from 'react';
import * as texts from '../../../texts/ui.ts';
import { buttonClass, isRepeated } from '../../../ui/button.tsx';
import styles from './batch-actions.module.css';

interface Props {
  label: string;
  /** The batch it acts on, read out with the label. */
  of: string;
  icon: LucideIcon;
  /** Why the action is unavailable. The button can still be focused to read the reason. */
  reason?: string | null;
  isBusy?: boolean;
  variant?: 'primary' | 'secondary' | 'danger';
  onAct: () => void;
}

export function ActionButton(props: Props) {
  const { label, of, icon: Icon, reason = null, isBusy = false, onAct } = props;
  const { variant = 'secondary' } = props;
  const id = useId();
  function onClick(event: MouseEvent<HTMLButtonElement>) {
    const { currentTarget } = event;
    // A second click on “Resume” would be one on “Pause”.
    if (reason || isBusy || isRepeated(event)) return;
    // The menu closes first and returns the focus to its button, so a dialog opened next returns it
    // there.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    onAct();
  }
  return (
    <span className={styles.action}>
      <button
        type="button"
        className={buttonClass(variant)}
        title={reason ?? undefined}
        aria-label={texts.actionOn({ action: label, entry: of })}
        aria-disabled={!!reason || isBusy}
        aria-busy={isBusy}
        aria-describedby={reason ? id : undefined}
        onClick={onClick}
      >
        <Icon aria-hidden size={18} />
        {label}
      </button>
      {reason && (
        <span id={id} className={`sr-only ${styles.reason}`}>
          {reason}
        </span>
      )}
    </span>
  );
}
