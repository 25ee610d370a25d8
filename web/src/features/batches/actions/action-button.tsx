import type { LucideIcon } from 'lucide-react';
import { type MouseEvent, useId } from 'react';
import * as texts from '../../../texts/ui.ts';

interface Props {
  label: string;
  /** What is acted upon, for those who hear one button of a long table. */
  of: string;
  icon: LucideIcon;
  /** Why it is not possible now. Such a button stays reachable, so that the reason can be read. */
  reason?: string | null;
  isBusy?: boolean;
  variant?: 'primary' | 'secondary' | 'danger';
  /** Where there is little room: its picture alone, and its words on pointing. */
  isSmall?: boolean;
  onAct: () => void;
}

export function ActionButton(props: Props) {
  const {
    label,
    of,
    icon: Icon,
    reason = null,
    isBusy = false,
    variant = 'secondary',
    isSmall = false,
    onAct,
  } = props;
  const id = useId();
  function act({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    if (reason || isBusy) return;
    // Before anything else opens: the menu gives the focus back to its button, where a dialog finds it.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    onAct();
  }
  return (
    <span className="batch-action">
      <button
        type="button"
        className={`button ${variant}`}
        title={reason ?? (isSmall ? label : undefined)}
        aria-label={texts.actionOn({ action: label, entry: of })}
        aria-disabled={!!reason || isBusy}
        aria-busy={isBusy}
        aria-describedby={reason ? id : undefined}
        onClick={act}
      >
        <Icon aria-hidden size={18} />
        {!isSmall && label}
      </button>
      {reason && (
        <span id={id} className="heard batch-reason">
          {reason}
        </span>
      )}
    </span>
  );
}
