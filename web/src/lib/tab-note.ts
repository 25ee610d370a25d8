import * as z from 'zod/mini';
import { parseJson } from './storage.ts';

/** A value of one person in this tab. It survives a reload and ends with the tab. */
export function tabNote<T>(key: string, value: z.ZodMiniType<T>) {
  const shape = z.object({ userId: z.string(), value });
  return {
    save: (userId: string, value: T) =>
      sessionStorage.setItem(key, JSON.stringify({ userId, value })),
    /** Null for another person, and when nothing valid is stored. */
    of: (userId: string): T | null => {
      const { data } = shape.safeParse(parseJson(sessionStorage.getItem(key)));
      return data?.userId === userId ? data.value : null;
    },
    forget: () => sessionStorage.removeItem(key),
  };
}
