import { useEffect, useState } from 'react';
import { showToast } from '../lib/toasts.ts';
import { registerWhenStable } from '../pwa/register-worker.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks when a new version is ready. Whatever the answer, the new one takes over; only OK reloads the page for it. */
export function UpdateDialog({ isBusy }: { isBusy: () => boolean }) {
  const [activate, setActivate] = useState<(() => Promise<void>) | null>(null);
  useEffect(() => {
    registerWhenStable(isBusy, {
      onReady: (start) => setActivate(() => start),
      onFailed: () => showToast('error', 'Failed to update app. Please contact support.'),
    });
  }, [isBusy]);
  if (!activate) return null;
  const close = () => setActivate(null);
  const decline = () => {
    close();
    void activate();
  };
  return (
    <Dialog title="App Updated reload to apply" onClose={decline}>
      <p>What you have written and not sent yet may be lost by reloading; drafts of questions are kept.</p>
      <div className="row">
        <Button onClick={() => void activate().then(() => location.reload())}>OK</Button>
        <Button variant="secondary" onClick={decline}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
