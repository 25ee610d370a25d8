import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import './app/styles.css';
import { router } from './app/router.tsx';
import { VersionWatch } from './app/version-watch.tsx';
import { onSessionEnd } from './lib/api/api-client.ts';
import { errorMessage } from './lib/api/refusal.ts';
import { arrivingWith } from './lib/hooks/use-arrival-message.ts';
import { paths } from './lib/paths.ts';
import { rememberPage } from './lib/return-visit.ts';
import { endSession, restoreAdminView } from './lib/session.ts';
import { loadSettings } from './lib/settings.ts';
import { followOtherTabs, isStoredUserOutdated, storage } from './lib/storage.ts';
import { showToast } from './lib/toasts.ts';
import * as texts from './texts/app.ts';
import { Button } from './ui/button.tsx';
import { Notice } from './ui/notice.tsx';
import { Toaster } from './ui/toaster.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no place for the app.');
const root = createRoot(element);
const isOpeningPage = () => router.state.navigation.state !== 'idle';

try {
  followOtherTabs();
  restoreAdminView();
  await loadSettings();
  onSessionEnd((message) => {
    rememberPage(location.pathname + location.search);
    endSession({ keepsDrafts: true });
    showToast('error', message);
    void router.navigate(paths.auth, arrivingWith(message));
  });
  if (isStoredUserOutdated() && storage.read('userToken') !== null) await refreshStoredUser();
  root.render(
    <StrictMode>
      <RouterProvider router={router} />
      <Toaster />
      <VersionWatch isBusy={isOpeningPage} />
    </StrictMode>,
  );
} catch (error) {
  root.render(
    <main className="waiting">
      <Notice tone="error">
        <h1>{texts.cannotStart}</h1>
        <p>{texts.cannotStartReason(errorMessage(error))}</p>
        <Button variant="secondary" onClick={() => location.reload()}>
          {texts.tryAgain}
        </Button>
      </Notice>
    </main>,
  );
}

/** After an update of the app. Offline, the stored parts of the user must do. */
async function refreshStoredUser(): Promise<void> {
  const { refreshUser } = await import('./lib/acting.ts');
  await refreshUser().catch(() => {});
}
