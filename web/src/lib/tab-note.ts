import * as z from 'zod/mini';

interface TabNote<T> {
  save(userId: string, value: T): void;
  /** Null for another person, and when nothing valid is stored. */
  of(userId: string): T | null;
  forget(): void;
}

/** A value of one person in this tab. It survives a reload and ends with the tab. */
export function tabNote<T>(key: string, value: z.ZodMiniType<T>): TabNote<T> {
  const shape = z.object({ userId: z.string(), value });
  return {
    save: (userId, value) => sessionStorage.setItem(key, JSON.stringify({ userId, value })),
    of: (userId) => {
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
