import { useRef, useState } from 'react';
import { type Draft, emptyDraft, parseDraft } from './draft.ts';

const key = 'askDraft';

export type Change = ReturnType<typeof useDraft>['change'];

/** What a person has written so far. It outlives a reload, and ends with the tab. */
export function useDraft(userId: string) {
  const [draft, setDraft] = useState(() => parseDraft(sessionStorage.getItem(key), userId));
  // Two changes of one moment must both count, so the newest draft is at hand without waiting for a render.
  const latest = useRef(draft);
  function change(part: Partial<Draft> | ((draft: Draft) => Partial<Draft>)): void {
    latest.current = {
      ...latest.current,
      ...(typeof part === 'function' ? part(latest.current) : part),
    };
    keep(latest.current);
    setDraft(latest.current);
  }
  const forget = () => change(emptyDraft(userId));
  return { draft, change, forget };
}

/** A full store must not stop anybody from writing: the draft then lives only as long as the page. */
function keep(draft: Draft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    sessionStorage.removeItem(key);
  }
}
