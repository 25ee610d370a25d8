import { resendLink } from '@rowmill/contract';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { settings } from '../../../lib/settings.ts';
import { useStored } from '../../../lib/storage.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ResendButton } from './resend-button.tsx';

/** Another verification link: for who waits here for his, at a press; for anybody else, to the address that he gives. */
export function SendNewLink() {
  const user = useStored('currentUser');
  if (!user || user.email_verified_at) return <AddressForm />;
  return (
    <>
      <p>
        A new link would go to <strong className="long">{user.email}</strong>.
      </p>
      <div className="row">
        <ResendButton email={user.email} />
      </div>
    </>
  );
}

function AddressForm() {
  const [answer, setAnswer] = useState<string | null>(null);
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint: resendLink,
    send: async ({ email = '' }) => setAnswer((await call(resendLink, { email })).message ?? 'A new link is on its way.'),
  });
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      {error && <Notice tone="error">{error}</Notice>}
      {answer && (
        <Notice tone="success">
          {answer} {settings().demo && <a href="/dev/mail">Open the outbox of the demo</a>}
        </Notice>
      )}
      <TextField label="Your e-mail" name="email" type="email" autoComplete="email" problem={problems.email} />
      <Button type="submit" busy={busy}>
        Send a new link
      </Button>
    </form>
  );
}
