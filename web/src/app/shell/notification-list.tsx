import { Bell } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { formatTime } from '../../lib/format.ts';
import { recentToasts, subscribeToToasts } from '../../lib/toasts.ts';
import * as texts from '../../texts/app.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './notification-list.module.css';

/** The last messages, for people who missed them. */
export function NotificationList() {
  const [isOpen, setOpen] = useState(false);
  const recent = useSyncExternalStore(subscribeToToasts, recentToasts);
  return (
    <>
      <Button variant="ghost" aria-label={texts.notifications} onClick={() => setOpen(true)}>
        <Bell aria-hidden size={20} />
      </Button>
      {isOpen && (
        <Dialog title={texts.notifications} onClose={() => setOpen(false)}>
          {recent.length === 0 && <p className="muted">{texts.noMessages}</p>}
          <ul className="plain stack">
            {recent.map(({ id, tone, message, at }) => (
              <li key={id} className={`${styles.message} ${styles[tone] ?? ''}`}>
                {message}
                <time className="muted" dateTime={at}>
                  {formatTime(at)}
                </time>
              </li>
            ))}
          </ul>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            {texts.close}
          </Button>
        </Dialog>
      )}
    </>
  );
}
