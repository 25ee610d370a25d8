import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { errorMessage } from '../lib/api/refusal.ts';
import * as texts from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Holds the address of the last automatic reload, per tab: the keys of local storage are fixed. */
const reloadedKey = 'reloadedAt';

/** A page whose file was replaced by a newer version reloads once; then it offers a button. */
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

/** The messages of Chrome, Safari and Firefox. */
function isMissingFile(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|Importing a module script|error loading dynamically/i.test(
      error.message,
    )
  );
}
