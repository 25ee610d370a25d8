import * as z from 'zod/mini';
import type { Values } from '../../../lib/hooks/use-form.ts';
import { subjectId } from '../../../lib/session.ts';
import { correctionsKey } from '../../../lib/storage.ts';

const text = z.string();
const shape = z.object({ userId: text, drafts: z.record(text, z.record(text, text)) });
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

/** Outdated or broken drafts, or those of another person, count as none. */
function read(): Drafts {
  try {
    const parsed = shape.safeParse(JSON.parse(sessionStorage.getItem(correctionsKey) ?? 'null'));
    return parsed.success && parsed.data.userId === subjectId() ? parsed.data.drafts : {};
  } catch {
    return {};
  }
}

function write(drafts: Drafts): void {
  const text = JSON.stringify({ userId: subjectId(), drafts });
  const [oldest, ...others] = Object.entries(drafts);
  if (oldest && text.length > limit) write(Object.fromEntries(others));
  else store(text);
}

/** When storage is full, the next correction finds more room. */
function store(text: string): void {
  try {
    sessionStorage.setItem(correctionsKey, text);
  } catch {
    sessionStorage.removeItem(correctionsKey);
  }
}
