import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { findBrokenInvariants } from '../../db/invariants.ts';
import { freezeAccounts, unfreezeAccountsExcept } from './store.ts';

/**
 * Runs the ledger checks and reports failures to the operator; it repairs nothing. Accounts with a
 * failed check are frozen until a later run finds them correct.
 */
export async function runLedgerChecks(ctx: Context): Promise<void> {
  const broken = await findBrokenInvariants(ctx.db);
  for (const { invariant, ids } of broken) {
    ctx.log.error(
      { invariant, ids: ids.slice(0, 20), count: ids.length },
      'a ledger check has failed',
    );
    record(ctx, 'ledger_check_failed', { invariant });
  }
  const userIds = [...new Set(broken.flatMap((one) => one.userIds))];
  for (const userId of await freezeAccounts(ctx.db, { userIds, now: ctx.clock.now() }))
    record(ctx, 'account_frozen', { user_id: userId });
  for (const userId of await unfreezeAccountsExcept(ctx.db, userIds))
    record(ctx, 'account_unfrozen', { user_id: userId });
}
