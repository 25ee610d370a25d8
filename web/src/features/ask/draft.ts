import { answerTypes, outputs, rowsAgain } from '@rowmill/contract';
import { useEffect, useState, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { runAgain } from '../../entities/batch/run-again.ts';
import { noOptions, optionsOf } from '../../entities/prompt/options.ts';
import { onSignOut } from '../../lib/session.ts';
import { draftKey } from '../../lib/storage.ts';
import { tabDrafts } from '../../lib/tab-drafts.ts';
import type { AskRequest } from './api.ts';

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

/** A start whose outcome is unknown, with the key that makes repeating it safe. */
const start = z.nullable(z.object({ body: text, key: text }));

/** Which rows of an earlier batch run again. */
const again = z.nullable(
  z.object({
    sheetId: text,
    batch: text,
    name: text,
    rows: rowsAgain,
    count: z.number(),
    /** With types, unlike the field of the names. */
    outputs,
  }),
);

const draft = z.object({
  sheetId: z.nullable(text),
  prompt: text,
  /** The one question asked without a sheet. */
  question: text,
  options: draftOptions,
  start,
  /** Half the price, for answers by tomorrow morning. */
  isEconomy: z._default(z.boolean(), false),
  again: z._default(again, null),
  /** What an earlier prompt took the place of. */
  replaced: z._default(
    z.nullable(
      z.object({
        prompt: z.optional(text),
        question: z.optional(text),
        sheetId: z.optional(z.nullable(text)),
        options: z.optional(draftOptions),
        start: z.optional(start),
        again: z.optional(again),
        /** Whether what took its place was edited since. */
        isEdited: z.optional(z.boolean()),
      }),
    ),
    null,
  ),
});
export type Draft = z.infer<typeof draft>;
type Replaced = NonNullable<Draft['replaced']>;
/** What an earlier prompt can take the place of. */
type Replaceable = Partial<Pick<Draft, Exclude<keyof Replaced, 'isEdited'>>>;
/** A function sees the latest draft, and leaves it as it is with null. */
type Change = Partial<Draft> | ((draft: Draft) => Partial<Draft> | null);
export type ChangeDraft = (change: Change) => void;

/** By the person it is for: an admin has one for each client. */
const drafts = tabDrafts(draftKey, draft);
/** The draft on this page. A call may change another one, whose form was left. */
let current: { userId: string; draft: Draft } | null = null;
const listeners = new Set<() => void>();
onSignOut(() => {
  current = null;
});

/** What a person has written so far. It survives a reload and ends with the tab. */
export function useDraft(userId: string) {
  useState(() => openDraft(userId));
  useEffect(runAgain.forget, []);
  const draft = useSyncExternalStore(subscribe, () => readDraft(userId));
  const change: ChangeDraft = (change) => changeDraft(userId, change);
  return { draft, changeDraft: change };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readDraft(userId: string): Draft {
  if (current?.userId !== userId) current = { userId, draft: drafts.get(userId) ?? emptyDraft() };
  return current.draft;
}

export function changeDraft(userId: string, change: Change): void {
  const draft = readDraft(userId);
  const part = typeof change === 'function' ? change(draft) : change;
  if (!part) return;
  current = { userId, draft: { ...draft, ...part } };
  drafts.set(userId, current.draft);
  for (const listener of listeners) listener();
}

/**
 * Puts an earlier prompt in the place of what a person has typed, which can be undone. A second one
 * takes the place of the first, and the typed text still comes back.
 */
export function withReplaced(draft: Draft, part: Replaceable): Partial<Draft> {
  const before = sameFields(draft, part);
  const isSame = JSON.stringify(before) === JSON.stringify(part);
  const typed = part.question === undefined ? draft.prompt : draft.question;
  if (isSame) return { ...part, replaced: draft.replaced };
  return { ...part, replaced: typed.trim() ? { ...before, ...draft.replaced } : draft.replaced };
}

/**
 * Editing an earlier prompt accepts it, so that undoing cannot take what was typed since. A draft
 * with another sheet is other work, and still comes back.
 */
export function withEdited(
  { replaced }: Draft,
  part: Pick<Draft, 'prompt'> | Pick<Draft, 'question'> | Pick<Draft, 'options'>,
): Partial<Draft> {
  const isOver = Object.keys(part).some((name) => replaced && name in replaced);
  if (!isOver) return part;
  return { ...part, replaced: hasSheet(replaced) ? { ...replaced, isEdited: true } : null };
}

/** Brings back what was replaced. Work that was edited since can be brought back in turn. */
export function withUndone(draft: Draft): Partial<Draft> {
  const { isEdited, ...before } = draft.replaced ?? {};
  return { ...before, replaced: isEdited ? sameFields(draft, before) : null };
}

const sameFields = (draft: Draft, part: Replaceable): Replaceable =>
  Object.fromEntries(Object.keys(part).map((name) => [name, draft[name as keyof Replaceable]]));

/**
 * After a start. What a person has written since stays, and so does their single question. A draft
 * that the started one took the place of comes back.
 */
export function withoutStarted(
  { start, prompt, sheetId, question, replaced }: Draft,
  started: AskRequest,
): Partial<Draft> | null {
  const isNext =
    start !== null || prompt !== started.questionWithVariable || sheetId !== started.query?.file;
  const { isEdited, ...before }: Replaced = hasSheet(replaced) ? { ...replaced } : {};
  return isNext ? null : { ...emptyDraft(), ...before, question };
}

/** Whether a whole draft was replaced, and not only its text. */
const hasSheet = (replaced: Draft['replaced']) => replaced?.sheetId !== undefined;

/** Reads the stored draft, or makes one for a batch that runs again. */
function openDraft(userId: string): void {
  current = null;
  const again = runAgain.of(userId);
  if (!again) return;
  const { batch, rows, count } = again;
  const repeated = {
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
  changeDraft(userId, (draft) => withReplaced(draft, repeated));
}

export function emptyDraft(): Draft {
  return {
    sheetId: null,
    prompt: '',
    question: '',
    options: noOptions,
    start: null,
    isEconomy: false,
    again: null,
    replaced: null,
  };
}
