import type { Context } from '../../context.ts';
import { findBrokenInvariants } from '../../db/invariants.ts';
import { record } from '../../events.ts';
import { freezeAccounts, thawAccounts } from './store.ts';

/**
 * Looks whether the books are right. What is wrong is told to the operator, and never put right by itself; whose books are
 * wrong starts nothing new until a later look finds them right.
 */
export async function checkBooks(ctx: Context): Promise<void> {
  const broken = await findBrokenInvariants(ctx.db);
  for (const { invariant, ids } of broken) {
    ctx.log.error(
      { invariant, ids: ids.slice(0, 20), count: ids.length },
      'the books are not right',
    );
    record(ctx, 'books_wrong', { invariant });
  }
  const userIds = [...new Set(broken.flatMap((one) => one.userIds))];
  for (const userId of await freezeAccounts(ctx.db, { userIds, now: ctx.clock.now() }))
    record(ctx, 'account_frozen', { user_id: userId });
  for (const userId of await thawAccounts(ctx.db, { but: userIds }))
    record(ctx, 'account_thawed', { user_id: userId });
}
