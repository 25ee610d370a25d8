import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { after, day } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { insertUserPlan } from './store.ts';

interface Beginning {
  actorId: string;
  subjectId: string;
  plan: { id: string; period_days: number | null; submissions: number };
}

/** Puts a plan into somebody's hands, with its submissions. Belongs into a transaction of the caller. */
export async function beginPlan(ctx: Context, { actorId, subjectId, plan }: Beginning): Promise<void> {
  const now = ctx.clock.now();
  const endsAt = plan.period_days === null ? null : after(now, plan.period_days * day);
  await insertUserPlan(ctx.db, { id: newId(now), user_id: subjectId, plan_id: plan.id, started_at: now, ends_at: endsAt });
  if (plan.submissions > 0) {
    await moveCredits(ctx, {
      userId: subjectId,
      from: 'world',
      to: 'available',
      amount: plan.submissions,
      cause: `plan:${plan.id}`,
    });
  }
  await writeAuditEntry(ctx, { actorId, subjectId, act: 'plan_taken', detail: { plan: plan.id } });
  record(ctx, 'plan_taken', { user_id: subjectId, plan: plan.id });
}
