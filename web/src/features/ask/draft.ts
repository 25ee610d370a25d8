import { answerTypes, outputs, rowsAgain } from '@rowmill/contract';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { forgetRunAgain, readRunAgain } from '../../entities/batch/run-again.ts';
import { noOptions, optionsOf } from '../../entities/prompt/options.ts';

const storageKey = 'askDraft';
const text = z.string();

const draftColumn = z.object({
  name: text,
  type: z.enum(answerTypes),
  description: text,
  options: text,
  mayBeEmpty: z.boolean(),
});

/** The options as typed into their fields. */
const draftOptions = z.object({
  model: text,
  system: text,
  temperature: text,
  maxTokens: text,
  topP: z._default(text, ''),
  stop: z._default(text, ''),
  seed: z._default(text, ''),
  effort: z._default(text, ''),
  limit: text,
  columns: z._default(z.array(draftColumn), []),
});

const draft = z.object({
  /** Whom it was written for. An admin acting for another client does not see it. */
  userId: text,
  sheetId: z.nullable(text),
  prompt: text,
  /** The one question asked without a sheet. */
  question: text,
  options: draftOptions,
  /** A start whose outcome is unknown, with the key that makes repeating it safe. */
  start: z.nullable(z.object({ body: text, key: text })),
  /** Half the price, for answers by tomorrow morning. */
  isEconomy: z._default(z.boolean(), false),
  /** Which rows of an earlier batch run again. */
  again: z._default(
    z.nullable(
      z.object({
        sheetId: text,
        batch: text,
        name: text,
        rows: rowsAgain,
        count: z.number(),
        /** With types, unlike the field of the names. */
        outputs,
      }),
    ),
    null,
  ),
});
export type Draft = z.infer<typeof draft>;
export type ChangeDraft = ReturnType<typeof useDraft>['changeDraft'];

/** What a person has written so far. It survives a reload and ends with the tab. */
export function useDraft(userId: string) {
  const [draft, setDraft] = useState(() => firstDraft(userId));
  useEffect(forgetRunAgain, []);
  // Two changes in one event must both apply, so the latest draft is readable without a render.
  const latest = useRef(draft);
  function changeDraft(change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)): void {
    const part = typeof change === 'function' ? change(latest.current) : change;
    latest.current = { ...latest.current, ...part };
    saveDraft(latest.current);
    setDraft(latest.current);
  }
  const clearDraft = () => changeDraft(emptyDraft(userId));
  return { draft, changeDraft, clearDraft };
}

/** The stored draft, or one for a batch that runs again. */
function firstDraft(userId: string): Draft {
  const before = parseDraft(sessionStorage.getItem(storageKey), userId);
  const again = readRunAgain(userId);
  if (!again) return before;
  const { batch, rows, count } = again;
  const draft = {
    ...before,
    sheetId: batch.sheet_id,
    prompt: batch.question,
    options: optionsOf(batch),
    start: null,
    again: {
      sheetId: batch.sheet_id,
      batch: batch.id,
      name: batch.name,
      rows,
      count,
      outputs: batch.outputs,
    },
  };
  saveDraft(draft);
  return draft;
}

export function emptyDraft(userId: string): Draft {
  const written = {
    sheetId: null,
    prompt: '',
    question: '',
    start: null,
    isEconomy: false,
    again: null,
  };
  return { userId, options: noOptions, ...written };
}

/** An outdated or broken draft, or one of another person, counts as none. */
export function parseDraft(stored: string | null, userId: string): Draft {
  try {
    const parsed = draft.safeParse(JSON.parse(stored ?? 'null'));
    return parsed.success && parsed.data.userId === userId ? parsed.data : emptyDraft(userId);
  } catch {
    return emptyDraft(userId);
  }
}

/** When storage is full, typing still works; the draft then lasts as long as the page. */
function saveDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    sessionStorage.removeItem(storageKey);
  }
}
