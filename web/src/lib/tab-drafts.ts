import * as z from 'zod/mini';
import { storage } from './storage.ts';
import { tabNote } from './tab-note.ts';

/** In characters. The oldest drafts are forgotten first. */
const limit = 1_000_000;

/**
 * What the signed-in person has written in this tab, by what it is for. It survives a reload and
 * the end of a session.
 */
export function tabDrafts<T>(key: string, draft: z.ZodMiniType<T>) {
  const note = tabNote(key, z.record(z.string(), draft));
  const writer = () => storage.read('currentUser')?.id ?? null;
  const read = (): Record<string, T> => note.of(writer() ?? '') ?? {};
  /** When storage is full, the next draft finds more room. */
  function write(drafts: Record<string, T>): void {
    const userId = writer();
    // A session has just ended, and its drafts wait for the person.
    if (userId === null) return;
    const [oldest, ...others] = Object.entries(drafts);
    if (oldest && JSON.stringify(drafts).length > limit) {
      write(Object.fromEntries(others));
      return;
    }
    try {
      note.save(userId, drafts);
    } catch {
      note.forget();
    }
  }
  return {
    get: (id: string): T | undefined => read()[id],
    set(id: string, value: T): void {
      const { [id]: before, ...others } = read();
      write({ ...others, [id]: value });
    },
    delete(id: string): void {
      const { [id]: before, ...others } = read();
      write(others);
    },
  };
}
