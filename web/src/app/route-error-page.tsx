import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { errorMessage } from '../lib/api/refusal.ts';
import * as texts from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Where the address of the last reload by itself is remembered. Per tab, and not in local storage, whose keys are fixed. */
const reloadedKey = 'reloadedAt';

/** A page whose file a newer version has replaced is reloaded by itself, once; after that reloading is the person's choice. */
export function RouteErrorPage() {
  const error = useRouteError();
  const isReloading = isMissingFile(error) && sessionStorage.getItem(reloadedKey) !== location.href;
  useEffect(() => {
    if (!isReloading) return;
    sessionStorage.setItem(reloadedKey, location.href);
    location.reload();
  }, [isReloading]);
  if (isReloading) return null;
  return (
    <main className="waiting">
      <Notice tone="error">
        <h1>{texts.cannotShow}</h1>
        <p>{isMissingFile(error) ? texts.missingPart : errorMessage(error)}</p>
        <Button variant="secondary" onClick={() => location.reload()}>
          {texts.reload}
        </Button>
      </Notice>
    </main>
  );
}

/** Browsers say it each in their own words: Chrome, Firefox, Safari. */
function isMissingFile(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|Importing a module script|error loading dynamically/i.test(
      error.message,
    )
  );
}
