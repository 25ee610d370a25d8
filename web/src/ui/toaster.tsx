import { useSyncExternalStore } from 'react';
import { shownToasts, subscribeToToasts } from '../lib/toasts.ts';
import styles from './toaster.module.css';

/** Two live regions, present before their first message: errors interrupt a screen reader, the rest waits. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts);
  const errors = toasts.filter(({ tone }) => tone === 'error');
  const others = toasts.filter(({ tone }) => tone !== 'error');
  return (
    <div className={styles.toasts}>
      <div role="alert">{errors.map(show)}</div>
      <div role="status">{others.map(show)}</div>
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
