import { useSyncExternalStore } from 'react';
import { shownToasts, subscribeToToasts } from '../lib/toasts.ts';

export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts);
  return (
    <div className="toasts" role="log" aria-live="assertive" aria-label="Notifications">
      {toasts.map(({ id, tone, message }) => (
        <div key={id} className={`toast ${tone}`}>
          {message}
        </div>
      ))}
    </div>
  );
}
