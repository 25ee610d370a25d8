import * as z from 'zod/mini';

const key = 'resumeBatch';
const shape = z.object({ user_id: z.string(), batch: z.string() });

/** Remembers the batch that ran out of submissions while its owner buys more. */
export function rememberBatch(userId: string, batch: string): void {
  sessionStorage.setItem(key, JSON.stringify({ user_id: userId, batch }));
}

export function rememberedBatch(userId: string): string | null {
  try {
    const parsed = shape.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
    return parsed.success && parsed.data.user_id === userId ? parsed.data.batch : null;
  } catch {
    return null;
  }
}

export function forgetBatch(): void {
  sessionStorage.removeItem(key);
}
