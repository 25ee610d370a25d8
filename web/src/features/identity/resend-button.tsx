import { resendLink } from '@rowmill/contract';
import { useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { errorMessage } from '../../lib/api/refusal.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { resendWords } from './countdown.ts';
import { useCooldown } from './use-cool-down.ts';

const pauseSeconds = 30;

/** Sends another link, then pauses visibly; after a failure it can be retried at once. */
export function ResendButton({ email }: { email: string }) {
  const { secondsLeft, begin, cancel } = useCooldown(pauseSeconds);
  const [failure, setFailure] = useState<unknown>(null);
  async function resend() {
    if (secondsLeft > 0) return;
    begin();
    setFailure(null);
    try {
      showToast('success', (await call(resendLink, { email })).message ?? texts.newLinkSent);
    } catch (error) {
      cancel();
      setFailure(error);
      showToast('error', errorMessage(error));
    }
  }
  // Not `disabled`, which would drop the focus.
  return (
    <>
      <Button variant="secondary" aria-disabled={secondsLeft > 0} onClick={() => void resend()}>
        {resendWords(secondsLeft, texts.sendNewLink)}
      </Button>
      <ErrorNote error={failure} />
    </>
  );
}
