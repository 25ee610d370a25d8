import { useSyncExternalStore } from 'react';
import * as texts from '../texts/app.ts';

/** Says that the browser has lost its connection, for as long as it has. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return <div role="status">{!isOnline && <p className="demo">{texts.offline}</p>}</div>;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
