import { lazy, Suspense, useEffect, useState } from 'react';
import { showToast } from '../lib/toasts.ts';
import { registerWhenStable } from '../pwa/register-worker.ts';
import * as texts from '../texts/app.ts';

// There is no new version at a first visit, so that its dialog need not be fetched then.
const UpdateDialog = lazy(async () => ({
  default: (await import('./update-dialog.tsx')).UpdateDialog,
}));

/** Registers the service worker and hears of new versions. */
export function VersionWatch({ isBusy }: { isBusy: () => boolean }) {
  const [activate, setActivate] = useState<(() => Promise<void>) | null>(null);
  useEffect(() => {
    registerWhenStable(isBusy, {
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
