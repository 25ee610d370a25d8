import { ChevronDown, Ellipsis } from 'lucide-react';
import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';
import * as texts from '../texts/batches.ts';

interface Props {
  label: string;
  of: string;
  /** Where there is little room: three dots instead of the word. */
  isSmall?: boolean;
  children: ReactNode;
}

/** A button that opens further actions. The browser's own popover: it lies over everything and closes on Escape. */
export function MenuButton({ label, of, isSmall = false, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  function place({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) {
    if (newState !== 'open' || !button.current) return;
    placeBeside(button.current.getBoundingClientRect(), currentTarget);
    // Its place is reckoned for this width of the page.
    window.addEventListener('resize', () => currentTarget.hidePopover(), { once: true });
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button secondary"
        title={isSmall ? label : undefined}
        aria-label={texts.actionOn({ action: label, batch: of })}
        popoverTarget={id}
      >
        {isSmall ? (
          <Ellipsis aria-hidden size={18} />
        ) : (
          <>
            {label}
            <ChevronDown aria-hidden size={18} />
          </>
        )}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lie over the page */}
      <div
        id={id}
        className="batch-menu"
        popover="auto"
        role="group"
        aria-label={texts.actionOn({ action: label, batch: of })}
        onBeforeToggle={place}
      >
        {children}
      </div>
    </>
  );
}

const menuWidth = 280;
/** Of five entries, and of what lies over the lower edge of a small screen. */
const usualHeight = 320;

/** Under the button, or above it where there is more room; the page carries it along when it scrolls. */
function placeBeside(button: DOMRect, { style }: HTMLElement): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.max(8, Math.min(button.left, clientWidth - menuWidth - 8));
  const isAbove =
    button.top > clientHeight - button.bottom && clientHeight - button.bottom < usualHeight;
  style.left = `${left + scrollX}px`;
  style.top = `${(isAbove ? button.top - 4 : button.bottom + 4) + scrollY}px`;
  style.translate = isAbove ? '0 -100%' : '';
}
