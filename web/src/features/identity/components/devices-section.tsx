import { revokeSession, type SignedInDevice } from '@rowmill/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatTime } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { accountKey } from '../use-account.ts';

/** The last ones are those that a person knows; the others come at a press. */
const shownAtFirst = 4;

export function DevicesSection({ sessions }: { sessions: readonly SignedInDevice[] }) {
  const client = useQueryClient();
  const [isWhole, setWhole] = useState(false);
  const end = useMutation({
    mutationFn: (session_id?: string) => call(revokeSession, session_id ? { session_id } : {}),
    onSuccess: ({ message }) => showToast('success', message ?? 'Signed out.'),
    onError: (error) => showToast('error', wordsFor(error)),
    onSettled: () => client.invalidateQueries({ queryKey: accountKey }),
  });
  return (
    <section className="card">
      <h2>Signed-in devices</h2>
      {sessions.slice(0, isWhole ? undefined : shownAtFirst).map(({ id, device, last_seen_at, current }) => (
        <div key={id} className="device">
          <span>
            {device}
            <span className="soft">Last seen {formatTime(last_seen_at)}</span>
          </span>
          {current ? (
            <span className="badge">This device</span>
          ) : (
            <Button variant="ghost" busy={end.isPending} onClick={() => end.mutate(id)}>
              Sign out
            </Button>
          )}
        </div>
      ))}
      {sessions.length > 1 && (
        <div className="row">
          {sessions.length > shownAtFirst && (
            <Button variant="secondary" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show fewer' : `Show all ${sessions.length}`}
            </Button>
          )}
          <Button variant="secondary" busy={end.isPending} onClick={() => end.mutate(undefined)}>
            Sign out all others
          </Button>
        </div>
      )}
    </section>
  );
}
