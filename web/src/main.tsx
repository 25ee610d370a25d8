import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import './app/styles.css';
import { router } from './app/router.tsx';
import { VersionWatch } from './app/version-watch.tsx';
import { whenSessionEnds } from './lib/api/api-client.ts';
import { errorMessage } from './lib/api/refusal.ts';
import { paths } from './lib/paths.ts';
import { endSession } from './lib/session.ts';
import { loadSettings } from './lib/settings.ts';
import * as texts from './texts/app.ts';
import { Button } from './ui/button.tsx';
import { Notice } from './ui/notice.tsx';
import { Toaster } from './ui/toaster.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no place for the app.');
const root = createRoot(element);
/** A page is being opened. */
const isBusy = () => router.state.navigation.state !== 'idle';

try {
  await loadSettings();
  whenSessionEnds(() => {
    endSession();
    void router.navigate(paths.auth);
  });
  root.render(
    <StrictMode>
      <RouterProvider router={router} />
      <Toaster />
      <VersionWatch isBusy={isBusy} />
    </StrictMode>,
  );
} catch (error) {
  root.render(
    <main className="waiting">
      <Notice tone="error">
        <h1>{texts.cannotStart}</h1>
        <p>{texts.cannotStartWhy(errorMessage(error))}</p>
        <Button variant="secondary" onClick={() => location.reload()}>
          {texts.tryAgain}
        </Button>
      </Notice>
    </main>,
  );
}
