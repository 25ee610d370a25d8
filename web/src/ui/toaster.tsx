import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { shownToasts, subscribeToToasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

/** Two live regions: errors interrupt a screen reader, other messages wait. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts);
  const errors = toasts.filter(({ tone }) => tone === 'error');
  const others = toasts.filter(({ tone }) => tone !== 'error');
  const ref = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.id;
  // The element shown last is on top, so a new message covers an open dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each new message
  useLayoutEffect(() => {
    const toaster = ref.current;
    if (toaster?.matches(':popover-open') && document.querySelector('dialog[open]'))
      toaster.hidePopover();
    if (toaster && !toaster.matches(':popover-open')) toaster.showPopover();
  }, [newest]);
  return (
    <div className={styles.toasts} popover="manual" ref={ref}>
      <div role="alert">{errors.map(show)}</div>
      <div role="status">{others.map(show)}</div>
    </div>
  );
}

/** For a dialog: while it is open, a screen reader hears nothing of the rest of the page. */
export function ToastAnnouncer() {
  const [before] = useState(() => shownToasts().at(-1)?.id ?? 0);
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts);
  const since = toasts.filter(({ id }) => id > before);
  const wordsOf = (isError: boolean) =>
    since
      .filter(({ tone }) => (tone === 'error') === isError)
      .map(({ id, message }) => <p key={id}>{message}</p>);
  return (
    <div className="sr-only">
      <div role="alert">{wordsOf(true)}</div>
      <div role="status">{wordsOf(false)}</div>
    </div>
  );
}

function show({ id, tone, message }: ReturnType<typeof shownToasts>[number]) {
  return (
    <div key={id} className={`${styles.toast} ${styles[tone] ?? ''}`}>
      {message}
    </div>
  );
}
