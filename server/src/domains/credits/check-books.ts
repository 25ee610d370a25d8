import type { Context } from '../../context.ts';
import { findBrokenInvariants } from '../../db/invariants.ts';
import { record } from '../../events.ts';

/** Looks whether the books are right. What is wrong is told to the operator, and never put right by itself. */
export async function checkBooks(ctx: Context): Promise<void> {
  for (const { invariant, ids } of await findBrokenInvariants(ctx.db)) {
    ctx.log.error({ invariant, ids: ids.slice(0, 20), count: ids.length }, 'the books are not right');
    record(ctx, 'books_wrong', { invariant });
  }
}
