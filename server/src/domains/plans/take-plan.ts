import type { ParsedRequestOf, setPlan } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { invariant, refuse } from '../../refusal.ts';
import { beginPlan } from './begin-plan.ts';
import { findCurrentPlan } from './find-current-plan.ts';
import { findPlan } from './store.ts';

/**
 * Takes a free plan into use. Its submissions are given once in a person's life: the plan is their cause in the ledger,
 * and a cause moves nothing twice.
 */
export async function takePlan(
  ctx: Context,
  { actor, subjectId }: Acting,
  { id }: ParsedRequestOf<typeof setPlan>,
) {
  return inTransaction(ctx, async (inside) => {
    await beginFreePlan(inside, { actorId: actor.id, subjectId, planId: id });
    const taken = await findCurrentPlan(inside, subjectId);
    invariant(taken, 'a plan that was just taken is the present one');
    return { plan: taken, message: `You are on the plan ${taken.name} now.` };
  });
}

interface Taking {
  actorId: string;
  subjectId: string;
  planId: string;
}

/** Belongs into a transaction of the caller. */
export async function beginFreePlan(
  ctx: Context,
  { actorId, subjectId, planId }: Taking,
): Promise<void> {
  const plan = await findPlan(ctx.db, planId);
  if (!plan) refuse('not_found');
  if (plan.price_minor > 0) refuse('not_paid');
  const present = await findCurrentPlan(ctx, subjectId);
  if (present && present.price_minor > 0)
    refuse('not_now', { message: `Your plan ${present.name} runs until ${present.ends_at}.` });
  if (present?.id !== plan.id) await beginPlan(ctx, { actorId, subjectId, plan });
}
