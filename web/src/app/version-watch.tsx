import { lazy, Suspense, useEffect, useState } from 'react';
import { showToast } from '../lib/toasts.ts';
import { registerWhenIdle } from '../pwa/register-worker.ts';
import * as texts from '../texts/app.ts';

// Not needed on a first visit, so it is not part of the entrance.
const UpdateDialog = lazy(async () => ({
  default: (await import('./update-dialog.tsx')).UpdateDialog,
}));

/** Registers the service worker and asks to reload for a new version. */
export function VersionWatch({ isBusy }: { isBusy: () => boolean }) {
  const [activate, setActivate] = useState<(() => Promise<void>) | null>(null);
  useEffect(() => {
    registerWhenIdle(isBusy, {
      onReady: (start) => setActivate(() => start),
      onFailed: () => showToast('error', texts.updateFailed),
    });
  }, [isBusy]);
  if (!activate) return null;
  return (
    <Suspense>
      <UpdateDialog activate={activate} onClose={() => setActivate(null)} />
    </Suspense>
  );
}
