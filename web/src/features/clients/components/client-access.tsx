import { type ClientSummary, passwordResetByAdmin } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Invites again, or signs the client out and mails a link. Nobody chooses his password for him. */
export function ClientAccess({ client }: { client: ClientSummary }) {
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => call(passwordResetByAdmin, { user_id: client.id }),
    onSuccess: ({ message }) => {
      showToast('success', message ?? 'A link is on its way.');
      setAsking(false);
    },
  });
  const act = client.accepted ? 'Reset the password' : 'Invite again';
  return (
    <section className="stack" aria-labelledby="client-access">
      <h3 id="client-access">Access</h3>
      <p>
        {client.accepted
          ? `${client.first_name} is signed out everywhere and gets a link to set a new password.`
          : `${client.first_name} has not accepted the invitation yet. A new one ends the old one.`}
      </p>
      {reset.error && <Notice tone="error">{wordsFor(reset.error)}</Notice>}
      {isAsking ? (
        <div className="row">
          <Button variant={client.accepted ? 'danger' : 'primary'} busy={reset.isPending} onClick={() => reset.mutate()}>
            Yes, send the link
          </Button>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            No
          </Button>
        </div>
      ) : (
        <div>
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {act}
          </Button>
        </div>
      )}
    </section>
  );
}
