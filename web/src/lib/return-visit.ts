import { correctionsKey, draftKey, nextKey, parseJson, storage } from './storage.ts';

/**
 * The page that a person wanted when they had to sign in. It is stored in the tab and written only
 * by the app, so no link can lead to another site. After an ended session it belongs to the person
 * who was signed in.
 */
export function rememberPage(path: string): void {
  const userId = storage.read('currentUser')?.id ?? null;
  sessionStorage.setItem(nextKey, JSON.stringify({ path, userId }));
}

/** The page to return to, once. Another person's page and draft are forgotten. */
export function takePage(userId: string): string | null {
  const kept = recordIn(nextKey);
  forgetPage();
  if (typeof kept?.path !== 'string' || (kept.userId && kept.userId !== userId)) return null;
  return isOwnPath(kept.path) ? kept.path : null;
}

/** For someone who reached a page in another way, such as a payment. */
export function forgetPage(): void {
  sessionStorage.removeItem(nextKey);
}

export function forgetDraftsOfOthers(userId: string): void {
  for (const key of [draftKey, correctionsKey])
    if (recordIn(key)?.userId !== userId) sessionStorage.removeItem(key);
}

/** Browsers read `//host` and `/\host` as another site. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}

function recordIn(key: string): Record<string, unknown> | null {
  return parseJson(sessionStorage.getItem(key)) as Record<string, unknown> | null;
}
