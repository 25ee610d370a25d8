import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after, day } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { findUserPlan, insertUserPlan, listPlans, lockOperators } from './store.ts';

/**
 * Operators need a plan but buy none: each gets the free plan, without its submissions. Runs at
 * every start and for a new operator. Without a free plan they choose one at a sign-in.
 */
export async function grantPlansToOperators(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now();
    // Locked, so that two processes that start together give one plan.
    const operators = await lockOperators(ctx.db);
    const plan = (await listPlans(ctx.db)).find(({ price_minor }) => price_minor === 0);
    if (!plan) return;
    for (const { id } of operators) {
      if (await findUserPlan(ctx.db, { userId: id, now })) continue;
      const { name } = await insertUserPlan(ctx.db, {
        id: newId(now),
        user_id: id,
        plan_id: plan.id,
        order_id: null,
        started_at: now,
        ends_at: plan.period_days === null ? null : after(now, plan.period_days * day),
      });
      await writeAuditEntry(ctx, { actor: { id }, subjectId: id }, 'plan_taken', {
        plan: plan.id,
        name,
      });
    }
  });
}
