import * as z from 'zod/mini';

/** A value of one person in this tab. It survives a reload and ends with the tab. */
export function tabNote<T>(key: string, value: z.ZodMiniType<T>) {
  const shape = z.object({ userId: z.string(), value });
  return {
    save: (userId: string, value: T) =>
      sessionStorage.setItem(key, JSON.stringify({ userId, value })),
    /** Null for another person, and when nothing valid is stored. */
    of: (userId: string): T | null => {
      try {
        const note = shape.parse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
        return note.userId === userId ? note.value : null;
      } catch {
        return null;
      }
    },
    forget: () => sessionStorage.removeItem(key),
  };
}
