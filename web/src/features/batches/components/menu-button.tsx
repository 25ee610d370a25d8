import { ChevronDown } from 'lucide-react';
import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';

interface Props {
  label: string;
  of: string;
  children: ReactNode;
}

/** A button that opens further actions. The browser's own popover: it lies over everything and closes on Escape. */
export function MenuButton({ label, of, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  function place({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) {
    if (newState !== 'open' || !button.current) return;
    placeBeside(button.current.getBoundingClientRect(), currentTarget.style);
    // Its place is reckoned for this width of the page.
    window.addEventListener('resize', () => currentTarget.hidePopover(), { once: true });
  }
  return (
    <>
      <button ref={button} type="button" className="button secondary" aria-label={`${label}: ${of}`} popoverTarget={id}>
        {label}
        <ChevronDown aria-hidden size={18} />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lie over the page */}
      <div id={id} className="batch-menu" popover="auto" role="group" aria-label={`${label}: ${of}`} onBeforeToggle={place}>
        {children}
      </div>
    </>
  );
}

const menuWidth = 280;

/** Under the button, at that side of it where there is room; the page carries it along when it scrolls. */
function placeBeside(button: DOMRect, style: CSSStyleDeclaration): void {
  const page = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(button.left, page - menuWidth - 8));
  style.left = `${left + scrollX}px`;
  style.top = `${button.bottom + scrollY + 4}px`;
}
