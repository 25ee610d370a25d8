import { useRef, useState } from 'react';
import * as z from 'zod/mini';

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

const text = z.string();

/** The options of a request as they stand in their fields. */
const optionTexts = z.object({
  model: text,
  system: text,
  temperature: text,
  maxTokens: text,
  outputs: text,
  limit: text,
});
export type OptionTexts = z.infer<typeof optionTexts>;

const draft = z.object({
  /** For whom it was written. Nobody else is shown it, also not the same admin acting for another client. */
  userId: text,
  sheetId: z.nullable(text),
  question: text,
  /** The question of the part without a sheet. */
  single: text,
  options: optionTexts,
  /** The start whose outcome is not known yet, with the key that makes its repetition harmless. */
  start: z.nullable(z.object({ body: text, key: text })),
});
export type Draft = z.infer<typeof draft>;

export function emptyDraft(userId: string): Draft {
  const options = { model: '', system: '', temperature: '', maxTokens: '', outputs: '', limit: '' };
  return { userId, sheetId: null, question: '', single: '', options, start: null };
}

/** What was kept may be old, broken or somebody else's; then it counts as absent. */
export function parseDraft(kept: string | null, userId: string): Draft {
  try {
    const parsed = draft.safeParse(JSON.parse(kept ?? 'null'));
    return parsed.success && parsed.data.userId === userId ? parsed.data : emptyDraft(userId);
  } catch {
    return emptyDraft(userId);
  }
}
