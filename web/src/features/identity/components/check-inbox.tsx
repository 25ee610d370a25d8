import { resendLink } from '@rowmill/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { settings } from '../../../lib/settings.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';

/** After registering: where the link went, and how to get another. */
export function CheckInbox({ email }: { email: string }) {
  return (
    <div className="narrow stack">
      <h1>Check your inbox</h1>
      <p>
        We have sent a link to <strong>{email}</strong>. Open it to verify your address, then sign in.
      </p>
      <ResendButton email={email} />
      <Link to={paths.login}>Go to sign in</Link>
      {settings().demo && <a href="/dev/mail">This is a demo: its mails are in the outbox</a>}
    </div>
  );
}

const pauseMilliseconds = 30_000;

export function ResendButton({ email }: { email: string }) {
  const [isResting, setResting] = useState(false);
  async function resend() {
    setResting(true);
    setTimeout(() => setResting(false), pauseMilliseconds);
    try {
      showToast('success', (await call(resendLink, { email })).message ?? 'A new link is on its way.');
    } catch (error) {
      showToast('error', wordsFor(error));
    }
  }
  return (
    <Button variant="secondary" disabled={isResting} onClick={() => void resend()}>
      {isResting ? 'A new link is on its way' : 'Send a new link'}
    </Button>
  );
}
