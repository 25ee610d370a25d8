import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import type { Job } from '../../jobs/job.ts';
import { startOfMonth } from '../../lib/clock.ts';
import * as texts from '../../texts/credits.ts';
import { findUser } from '../identity/store/users.ts';
import { notify } from '../notifications/bell.ts';
import { emailPerson } from '../notifications/emails.ts';
import { fallsBelowAlert, monthlyAllowance } from './rules.ts';
import { findAccount, findLimits, lockLimits, sumSpentSince, updateLimits } from './store.ts';

interface Spending {
  userId: string;
  /** The least to reserve. */
  amount: number;
  /** What to reserve if the balance allows it. */
  wanted?: number;
}

/**
 * Checks the monthly limit set by the person's admin, in the transaction that reserves. Returns how much it allows, and
 * queues an alert when the reservation takes the balance below its alert level.
 */
export async function checkSpendingLimit(
  ctx: Context,
  { userId, amount, wanted = amount }: Spending,
): Promise<number> {
  const limits = await lockLimits(ctx.db, userId);
  if (!limits) return Number.POSITIVE_INFINITY;
  const { monthly_limit: limit, low_balance_at: alertLevel } = limits;
  const now = ctx.clock.now();
  const month = limit === null ? null : await allowanceOf(ctx, { userId, limit });
  const left = month?.left ?? Number.POSITIVE_INFINITY;
  if (month && amount > left) {
    const message = texts.monthlyLimitReached(month.limit, left, month.resetsAt);
    refuse('insufficient_credits', { message });
  }
  const before = (await findAccount(ctx.db, userId))?.available ?? 0;
  const reserving = Math.min(wanted, Math.max(before, amount), left);
  const notifiedAt = limits.low_balance_notified_at;
  if (fallsBelowAlert({ alertLevel, notifiedAt, before, amount: reserving })) {
    await updateLimits(ctx.db, userId, { low_balance_notified_at: now });
    await notify(ctx, { userId, kind: 'low_balance', text: texts.lowBalance, path: '/credits' });
    await ctx.enqueue(ctx.db, lowBalanceEmail(userId));
  }
  return left;
}

interface MonthlyAllowance {
  limit: number;
  left: number;
  resetsAt: Date;
}

/** What the monthly limit still allows, for a quote; null without a limit. */
export async function findMonthlyAllowance(
  ctx: Context,
  userId: string,
): Promise<MonthlyAllowance | null> {
  const limit = (await findLimits(ctx.db, userId))?.monthly_limit ?? null;
  return limit === null ? null : allowanceOf(ctx, { userId, limit });
}

/** What the monthly limit says where it allows less than this; null where it is not in the way. */
export async function describeReachedLimit(
  ctx: Context,
  userId: string,
  needed: number,
): Promise<string | null> {
  const month = await findMonthlyAllowance(ctx, userId);
  if (!month || month.left >= needed) return null;
  return texts.monthlyLimitReached(month.limit, month.left, month.resetsAt);
}

async function allowanceOf(
  ctx: Context,
  { userId, limit }: { userId: string; limit: number },
): Promise<MonthlyAllowance> {
  const now = ctx.clock.now();
  // In this order: a row that is charged in between counts twice, not never.
  const reserved = (await findAccount(ctx.db, userId))?.reserved ?? 0;
  const spent = await sumSpentSince(ctx.db, { userId, since: startOfMonth(now) });
  const left = monthlyAllowance({ limit, spent, reserved });
  return { limit, left, resetsAt: startOfMonth(now, 1) };
}

/** A person in debt, or with a frozen account, starts no new work. */
export async function assertMayStartWork(ctx: Context, userId: string): Promise<void> {
  const obstacle = await findObstacle(ctx, userId);
  if (obstacle) refuse(obstacle.code, { message: obstacle.message });
}

/** Why a person may start nothing, whatever it costs. */
export async function findObstacle(ctx: Context, userId: string) {
  const { frozen_at: frozenAt = null, debt = 0 } = (await findAccount(ctx.db, userId)) ?? {};
  if (frozenAt) return { code: 'not_now', message: texts.accountFrozen } as const;
  if (debt === 0) return null;
  return { code: 'insufficient_credits', message: texts.accountInDebt(debt) } as const;
}

function lowBalanceEmail(userId: string): Job {
  return { name: 'credits.low-balance', payload: { userId } };
}

/** Goes to the client and their admin. */
export async function sendLowBalanceEmails(
  ctx: Context,
  { userId }: { userId: string },
): Promise<void> {
  const client = await findUser(ctx.db, userId);
  if (!client || client.suspended_at) return;
  const available = (await findAccount(ctx.db, userId))?.available ?? 0;
  const { publicUrl } = ctx.config.http;
  await emailPerson(ctx, client, texts.ownLowBalanceEmail(client, available, publicUrl));
  const admin = client.admin_id ? await findUser(ctx.db, client.admin_id) : undefined;
  if (!admin) return;
  const email = texts.clientLowBalanceEmail(admin, client, { available, publicUrl });
  await emailPerson(ctx, admin, email);
}
