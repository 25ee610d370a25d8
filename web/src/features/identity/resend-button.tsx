import { resendLink } from '@rowmill/contract';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { errorMessage } from '../../lib/api/refusal.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { resendWords, secondsUntil } from './countdown.ts';

const pauseSeconds = 30;

/** Sends another link, then pauses visibly; after a failure it can be retried at once. */
export function ResendButton({ email }: { email: string }) {
  const { secondsLeft, begin, cancel } = useCooldown(pauseSeconds);
  const [failure, setFailure] = useState<unknown>(null);
  async function resend() {
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
  return (
    <>
      <Button variant="secondary" aria-disabled={secondsLeft > 0} onClick={() => void resend()}>
        {resendWords(secondsLeft, texts.sendNewLink)}
      </Button>
      <ErrorNote error={failure} />
    </>
  );
}

const tickMilliseconds = 250;

/** A pause measured by the clock, so that a sleeping tab does not extend it. */
function useCooldown(lengthSeconds: number) {
  const [end, setEnd] = useState(0);
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (end === 0) return;
    const timer = setInterval(() => {
      const left = secondsUntil(end, Date.now());
      setSecondsLeft(left);
      if (left === 0) setEnd(0);
    }, tickMilliseconds);
    return () => clearInterval(timer);
  }, [end]);
  function begin() {
    setEnd(Date.now() + lengthSeconds * 1000);
    setSecondsLeft(lengthSeconds);
  }
  function cancel() {
    setEnd(0);
    setSecondsLeft(0);
  }
  return { secondsLeft, begin, cancel };
}
