import * as z from 'zod/mini';
import type { Values } from '../../../lib/hooks/use-form.ts';
import { subjectId } from '../../../lib/session.ts';
import { correctionsKey } from '../../../lib/storage.ts';
import { tabNote } from '../../../lib/tab-note.ts';

const text = z.string();
const note = tabNote(correctionsKey, z.record(text, z.record(text, text)));
type Drafts = Record<string, Values>;

/** In characters. The oldest corrections are forgotten first. */
const limit = 200_000;

/**
 * Corrections that are not saved yet, by batch and row. They survive a reload and the end of a
 * session, and belong to one person and tab.
 */
export const correctionDrafts = {
  get: (id: string): Values | undefined => read()[id],
  set(id: string, values: Values): void {
    const { [id]: before, ...others } = read();
    write({ ...others, [id]: values });
  },
  delete(id: string): void {
    const { [id]: before, ...others } = read();
    write(others);
  },
};

const read = (): Drafts => note.of(subjectId() ?? '') ?? {};

/** When storage is full, the next correction finds more room. */
function write(drafts: Drafts): void {
  const [oldest, ...others] = Object.entries(drafts);
  if (oldest && JSON.stringify(drafts).length > limit) {
    write(Object.fromEntries(others));
    return;
  }
  try {
    note.save(subjectId() ?? '', drafts);
  } catch {
    note.forget();
  }
}
