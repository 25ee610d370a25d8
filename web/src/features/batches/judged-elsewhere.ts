import { type Batch, getRows } from '@rowmill/contract';
import { focusManager, hashKey } from '@tanstack/react-query';
import { invalidate, queriesOf, queryClient } from '../../lib/api/query.ts';

/** How many calls of this tab judge answers of a batch now. */
const saving = new Map<string, number>();

export async function whileSaving<T>(id: string, saved: Promise<T>): Promise<T> {
  saving.set(id, (saving.get(id) ?? 0) + 1);
  try {
    return await saved;
  } finally {
    saving.set(id, (saving.get(id) ?? 1) - 1);
  }
}

export function isSaving(id: string): boolean {
  return (saving.get(id) ?? 0) > 0;
}

/** The last answer to a judgement of this tab, which an event repeats. */
let shown = '';

export function rememberShown(batch: Batch): void {
  shown = hashKey([batch]);
}

export function isShown(batch: Batch): boolean {
  return hashKey([batch]) === shown;
}

/** Whether only judgements, notes and corrections have changed between the two. */
export function differOnlyInJudgements(some: Batch, others: Batch): boolean {
  const plain = (batch: Batch) => hashKey([{ ...batch, judged: null, judgement_version: 0 }]);
  return some.judgement_version !== others.judgement_version && plain(some) === plain(others);
}

export const pauseMilliseconds = 1_000;

/** By batch whether its rows are wanted once more after the pause. */
const fetched = new Map<string, boolean>();

/**
 * Fetches the rows on screen again, at most once a second, and no longer than half of the time. A
 * hidden tab fetches them when it is shown.
 */
export async function fetchJudgedRows(id: string): Promise<void> {
  if (fetched.has(id)) {
    fetched.set(id, true);
    return;
  }
  do {
    fetched.set(id, false);
    const since = performance.now();
    await (focusManager.isFocused()
      ? invalidate(getRows, { id })
      : queryClient.invalidateQueries({ ...queriesOf(getRows, { id }), refetchType: 'none' }));
    const pause = Math.max(pauseMilliseconds, performance.now() - since);
    await new Promise((resolve) => setTimeout(resolve, pause));
  } while (fetched.get(id));
  fetched.delete(id);
}
