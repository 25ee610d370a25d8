import type { CallRequest, UserPlan } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after, day } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import * as texts from '../../texts/plans.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { lockBalance, moveCredits } from '../credits/ledger.ts';
import { consumeRateLimit, rateLimits } from '../requests/rate-limits.ts';
import { endOfReturned, presentUserPlan, presentUserPlans } from './rules.ts';
import {
  findEndOfOthers,
  findLastEnd,
  findPeriodOfOrder,
  findPlan,
  findUserPlan,
  hasUserPlans,
  insertUserPlan,
  listUserPlans,
  setPlanRevoked,
} from './store.ts';

export async function findCurrentPlan(ctx: Context, userId: string): Promise<UserPlan | null> {
  const row = await findUserPlan(ctx.db, { userId, now: ctx.clock.now() });
  return row ? presentUserPlan(row) : null;
}

/** The current plan, and those that follow it. */
export async function findPlans(ctx: Context, userId: string) {
  const now = ctx.clock.now();
  const rows = await listUserPlans(ctx.db, { userId, now });
  const { plans, next_plans } = presentUserPlans(rows, now);
  return { plan: plans.at(0) ?? null, next_plans };
}

export async function hasHadPlan(ctx: Context, userId: string): Promise<boolean> {
  return hasUserPlans(ctx.db, userId);
}

/**
 * Starts a free plan. A person gets its submissions once: the plan is their cause in the ledger.
 */
export async function subscribeToFreePlan(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { id }: CallRequest<'setPlan'>,
) {
  return inTransaction(ctx, async (ctx) => {
    await activateFreePlan(ctx, { actorId: actor.id, subjectId, planId: id });
    const current = await findCurrentPlan(ctx, subjectId);
    invariant(current, 'a plan that was just activated is the current one');
    return { plan: current, message: texts.onPlan(current.name) };
  });
}

/** Belongs in the caller's transaction. */
export async function activateFreePlan(
  ctx: Context,
  { actorId, subjectId, planId }: { actorId: string; subjectId: string; planId: string },
): Promise<void> {
  const plan = await findPlan(ctx.db, planId);
  if (!plan) refuse('not_found');
  if (plan.price_minor > 0) refuse('not_paid');
  if (actorId !== subjectId) await consumeRateLimit(ctx, rateLimits.freePlanPerAdmin, actorId);
  await lockBalance(ctx, subjectId);
  const current = await findCurrentPlan(ctx, subjectId);
  if (current && current.price_minor > 0) {
    const end = await findLastEnd(ctx.db, { userId: subjectId, now: ctx.clock.now() });
    refuse('not_now', { message: texts.planRuns(current.name, end) });
  }
  if (current?.id !== plan.id) await activatePlan(ctx, { actorId, subjectId, plan });
}

interface Activation {
  actorId: string;
  subjectId: string;
  plan: { id: string; period_days: number | null; submissions: number };
  /** The order that paid for it. It starts after plans already paid; submissions come at once. */
  orderId?: string;
}

/** Belongs in the caller's transaction. */
export async function activatePlan(
  ctx: Context,
  { actorId, subjectId, plan, orderId }: Activation,
): Promise<void> {
  // Two plans that are paid at the same moment must follow each other.
  await lockBalance(ctx, subjectId);
  const now = ctx.clock.now();
  const startsAt = (orderId && (await findLastEnd(ctx.db, { userId: subjectId, now }))) || now;
  const { name } = await insertUserPlan(ctx.db, {
    id: newId(now),
    user_id: subjectId,
    plan_id: plan.id,
    order_id: orderId ?? null,
    started_at: startsAt,
    ends_at: plan.period_days === null ? null : after(startsAt, plan.period_days * day),
  });
  if (plan.submissions > 0) {
    await moveCredits(ctx, {
      userId: subjectId,
      from: 'external',
      to: 'available',
      amount: plan.submissions,
      cause: orderId ? `order:${orderId}` : `plan:${plan.id}`,
    });
  }
  const detail = { plan: plan.id, name };
  await writeAuditEntry(ctx, { actor: { id: actorId }, subjectId }, 'plan_taken', detail);
  record(ctx, 'plan_taken', { user_id: subjectId, plan: plan.id });
}

/**
 * Takes the plan of an order, or gives it back for the days that were left: from now, or after the
 * plans that were paid meanwhile or given back too. Returns when it ends; undefined without a plan.
 */
export async function revokePlan(
  ctx: Context,
  { orderId, isGone }: { orderId: string; isGone: boolean },
): Promise<Date | null | undefined> {
  const plan = await findPeriodOfOrder(ctx.db, orderId);
  if (!plan || isGone === (plan.revoked_at !== null)) return plan?.ends_at;
  const now = ctx.clock.now();
  const { user_id: userId, revoked_at: since, ends_at } = plan;
  if (!since) {
    await setPlanRevoked(ctx.db, { orderId, revoked_at: now, ends_at });
    return ends_at;
  }
  // No plan may be paid meanwhile.
  await lockBalance(ctx, userId);
  const others = await findEndOfOthers(ctx.db, { userId, since });
  const end = endOfReturned({ ...plan, revoked_at: since }, { now, others });
  await setPlanRevoked(ctx.db, { orderId, revoked_at: null, ends_at: end });
  return end;
}
