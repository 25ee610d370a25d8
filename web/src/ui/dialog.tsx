import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';
import { ToastAnnouncer } from './toaster.tsx';

interface Props {
  title: string;
  onClose: () => void;
  /** Before Escape closes it. Preventing the event keeps it open. */
  onCancel?: (event: SyntheticEvent) => void;
  /** `small` unless stated. */
  size?: 'small' | 'medium' | 'large' | 'wide';
  className?: string;
  /** Keys that were meant for the page must not press a button of it. */
  opensByItself?: boolean;
  /** For a dialog in which nothing is typed. */
  closesByPressOutside?: boolean;
  children: ReactNode;
}

/** The browser's own dialog: it traps the focus, closes on Escape and returns the focus. */
export function Dialog(props: Props) {
  const { title, onClose, onCancel, size = 'small', className = '' } = props;
  const { opensByItself, closesByPressOutside, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closing returns the focus to where it came from, but no longer once the dialog is removed.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (opensByItself) dialog?.focus();
    return () => dialog?.close();
  }, [opensByItself]);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${styles[size]} ${className}`}
      aria-labelledby={id}
      tabIndex={opensByItself ? -1 : undefined}
      closedby={closesByPressOutside ? 'any' : undefined}
      onCancel={(event) => event.target === event.currentTarget && onCancel?.(event)}
      // React also reports when a dialog inside of this one closes, and StrictMode opens it a
      // second time.
      onClose={({ target, currentTarget }) =>
        target === currentTarget && !currentTarget.open && onClose()
      }
    >
      <div className="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      <ToastAnnouncer />
    </dialog>
  );
}
