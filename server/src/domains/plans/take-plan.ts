import type { ParsedRequestOf, setPlan } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { after, day } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { invariant, refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { findCurrentPlan } from './find-current-plan.ts';
import { findPlan, insertUserPlan } from './store.ts';

/**
 * Takes a free plan into use. Its submissions are given once in a person's life: the plan is their cause in the ledger,
 * and a cause moves nothing twice.
 */
export async function takePlan(ctx: Context, { actor, subjectId }: Acting, { id }: ParsedRequestOf<typeof setPlan>) {
  return inTransaction(ctx, async (inside) => {
    const plan = await findPlan(inside.db, id);
    if (!plan) refuse('not_found');
    if (plan.price_minor > 0) refuse('not_paid');
    const present = await findCurrentPlan(inside, subjectId);
    if (present && present.price_minor > 0) refuse('not_now', { message: `Your plan ${present.name} runs until ${present.ends_at}.` });
    if (present?.id !== plan.id) await begin(inside, { actorId: actor.id, subjectId, plan });
    const taken = await findCurrentPlan(inside, subjectId);
    invariant(taken, 'a plan that was just taken is the present one');
    return { plan: taken, message: `You are on the plan ${taken.name} now.` };
  });
}

interface Beginning {
  actorId: string;
  subjectId: string;
  plan: { id: string; period_days: number | null; submissions: number };
}

async function begin(ctx: Context, { actorId, subjectId, plan }: Beginning): Promise<void> {
  const now = ctx.clock.now();
  const endsAt = plan.period_days === null ? null : after(now, plan.period_days * day);
  await insertUserPlan(ctx.db, { id: newId(now), user_id: subjectId, plan_id: plan.id, started_at: now, ends_at: endsAt });
  if (plan.submissions > 0) {
    await moveCredits(ctx, { userId: subjectId, from: 'world', to: 'available', amount: plan.submissions, cause: `plan:${plan.id}` });
  }
  await writeAuditEntry(ctx, { actorId, subjectId, act: 'plan_taken', detail: { plan: plan.id } });
  record(ctx, 'plan_taken', { user_id: subjectId, plan: plan.id });
}
