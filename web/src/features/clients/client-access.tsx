import { type ClientSummary, passwordResetByAdmin } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { errorMessage } from '../../lib/api/refusal.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Invites again, or signs the client out and emails a link to choose a password. */
export function ClientAccess({ client }: { client: ClientSummary }) {
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => call(passwordResetByAdmin, { user_id: client.id }),
    onSuccess: ({ message }) => {
      showToast('success', message ?? texts.linkSent);
      setAsking(false);
    },
  });
  const act = client.accepted ? texts.resetPassword : texts.inviteAgain;
  return (
    <section className="stack" aria-labelledby="client-access">
      <h3 id="client-access">{texts.access}</h3>
      <p>
        {client.accepted
          ? texts.resetWords(client.first_name)
          : texts.inviteWords(client.first_name)}
      </p>
      {reset.error && <Notice tone="error">{errorMessage(reset.error)}</Notice>}
      {isAsking ? (
        <div className="row">
          <Button
            variant={client.accepted ? 'danger' : 'primary'}
            busy={reset.isPending}
            onClick={() => reset.mutate()}
          >
            {texts.sendLink}
          </Button>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            {texts.sendNothing}
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
