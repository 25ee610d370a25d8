import { fetchUserDetail, revokeSession, type SignedInDevice } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { formatTime } from '../../../lib/format.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Button, isRepeated } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import styles from './profile.module.css';

/** Recent devices; the rest on demand. */
const shownAtFirst = 4;

export function DevicesSection({ sessions }: { sessions: readonly SignedInDevice[] }) {
  const [isWhole, setWhole] = useState(false);
  const end = useMutation({
    mutationFn: (session_id?: string) => call(revokeSession, session_id ? { session_id } : {}),
    onSuccess: ({ message }) => showToast('success', message ?? texts.signedOut),
    onSettled: () => invalidate(fetchUserDetail),
  });
  return (
    <section className="card">
      <h2>{texts.devices}</h2>
      {sessions
        .slice(0, isWhole ? undefined : shownAtFirst)
        .map(({ id, device, last_seen_at, current }) => (
          <div key={id} className={styles.device}>
            <span id={`device-${id}`}>
              {device}
              <span className={styles.lastSeen}>{texts.lastSeen(formatTime(last_seen_at))}</span>
            </span>
            {current ? (
              <span className="badge">{texts.thisDevice}</span>
            ) : (
              <Button
                variant="ghost"
                aria-describedby={`device-${id}`}
                busy={end.isPending}
                onClick={(event) => isRepeated(event) || end.mutate(id)}
              >
                {texts.signOut}
              </Button>
            )}
          </div>
        ))}
      {sessions.length > 1 && (
        <div className="row">
          {sessions.length > shownAtFirst && (
            <Button variant="secondary" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? texts.showFewer : texts.showAll(sessions.length)}
            </Button>
          )}
          <Button variant="secondary" busy={end.isPending} onClick={() => end.mutate(undefined)}>
            {texts.signOutOthers}
          </Button>
        </div>
      )}
      <ErrorNote error={end.error} />
    </section>
  );
}
