import { ChevronDown, Ellipsis, LoaderCircle, type LucideIcon } from 'lucide-react';
import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';
import * as texts from '../texts/ui.ts';
import { buttonClass, type Variant } from './button.tsx';
import styles from './menu-button.module.css';

interface Props {
  label: string;
  /** The entry that the actions change, read out with the label. */
  of: string;
  /** Shows three dots, or another icon, instead of the label. */
  isSmall?: boolean;
  icon?: LucideIcon;
  variant?: Variant;
  /** One of the actions is under way. */
  isBusy?: boolean;
  /** Shown instead of the label and the look of a button. */
  face?: ReactNode;
  children: ReactNode;
}

/** A button that opens more actions in a native popover, which closes on Escape. */
export function MenuButton(props: Props) {
  const { label, of, isSmall = false, icon: Icon, isBusy = false, face, children } = props;
  const { variant = isSmall ? 'ghost' : 'secondary' } = props;
  /** Turns into a sign of progress. */
  const LastIcon = isBusy ? LoaderCircle : isSmall ? (Icon ?? Ellipsis) : ChevronDown;
  const lastIcon = <LastIcon aria-hidden size={18} className={isBusy ? 'spinning' : undefined} />;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  function onToggle({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) {
    if (newState !== 'open' || !button.current) return;
    placeMenu(button.current.getBoundingClientRect(), currentTarget);
    // The position is computed for this page width.
    window.addEventListener('resize', () => currentTarget.hidePopover(), { once: true });
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={face ? styles.face : buttonClass(variant)}
        title={isSmall ? label : undefined}
        aria-label={face ? undefined : texts.actionOn({ action: label, entry: of })}
        aria-busy={isBusy}
        popoverTarget={id}
      >
        {face ??
          (isSmall ? (
            lastIcon
          ) : (
            <>
              {Icon && <Icon aria-hidden size={18} />}
              {label}
              {lastIcon}
            </>
          ))}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a popover */}
      <div
        id={id}
        className={styles.menu}
        popover="auto"
        role="group"
        aria-label={texts.actionOn({ action: label, entry: of })}
        onBeforeToggle={onToggle}
      >
        {children}
      </div>
    </>
  );
}

interface ChoiceProps {
  label: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

/** A setting in a menu, which stays open. */
export function MenuChoice({ label, isOn, onToggle }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
      />
      <span className="cut">{label}</span>
    </label>
  );
}

const menuWidth = 280;
/** Height of five entries and of the bar at the bottom of a phone. */
const usualHeight = 320;

/** Below the button, or above it where there is more space. It scrolls with the page. */
function placeMenu(button: DOMRect, { style }: HTMLElement): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.max(8, Math.min(button.left, clientWidth - menuWidth - 8));
  const isAbove =
    button.top > clientHeight - button.bottom && clientHeight - button.bottom < usualHeight;
  style.left = `${left + scrollX}px`;
  style.top = `${(isAbove ? button.top - 4 : button.bottom + 4) + scrollY}px`;
  style.translate = isAbove ? '0 -100%' : '';
}
