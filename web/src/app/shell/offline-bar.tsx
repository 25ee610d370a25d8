import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isServerOutOfReach, subscribeToReach } from '../../lib/api/reach.ts';
import * as texts from '../../texts/shell.ts';
import styles from './bar.module.css';

export function OfflineBar() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const isOutOfReach = useSyncExternalStore(subscribeToReach, isServerOutOfReach);
  const text = isOnline ? isOutOfReach && texts.serverOutOfReach : texts.offline;
  return <div role="status">{text && <p className={styles.bar}>{text}</p>}</div>;
}
