import { useSyncExternalStore } from 'react';
import { isServerOutOfReach, subscribeToReach } from '../../lib/api/reach.ts';
import * as texts from '../../texts/shell.ts';
import styles from './bar.module.css';

export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isOutOfReach = useSyncExternalStore(subscribeToReach, isServerOutOfReach);
  const text = isOnline ? isOutOfReach && texts.serverOutOfReach : texts.offline;
  return <div role="status">{text && <p className={styles.bar}>{text}</p>}</div>;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
