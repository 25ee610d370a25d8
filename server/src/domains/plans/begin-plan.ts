import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { after, day } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { findLastEnd, insertUserPlan } from './store.ts';

interface Beginning {
  actorId: string;
  subjectId: string;
  plan: { id: string; period_days: number | null; submissions: number };
  /** The order that has paid for it. Its period follows those that are paid already; its submissions come at once. */
  orderId?: string;
}

/** Puts a plan into somebody's hands, with its submissions. Belongs into a transaction of the caller. */
export async function beginPlan(
  ctx: Context,
  { actorId, subjectId, plan, orderId }: Beginning,
): Promise<void> {
  const now = ctx.clock.now();
  const startsAt = (orderId && (await findLastEnd(ctx.db, { userId: subjectId, now }))) || now;
  await insertUserPlan(ctx.db, {
    id: newId(now),
    user_id: subjectId,
    plan_id: plan.id,
    order_id: orderId ?? null,
    started_at: startsAt,
    ends_at: plan.period_days === null ? null : after(startsAt, plan.period_days * day),
  });
  if (plan.submissions > 0) {
    const cause = orderId ? `order:${orderId}` : `plan:${plan.id}`;
    await moveCredits(ctx, {
      userId: subjectId,
      from: 'world',
      to: 'available',
      amount: plan.submissions,
      cause,
    });
  }
  await writeAuditEntry(ctx, { actorId, subjectId, act: 'plan_taken', detail: { plan: plan.id } });
  record(ctx, 'plan_taken', { user_id: subjectId, plan: plan.id });
}
