import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import type { Job } from '../../jobs/job.ts';
import { startOfMonth } from '../../lib/clock.ts';
import * as texts from '../../texts/credits.ts';
import { findUser } from '../identity/store/users.ts';
import { notify } from '../notifications/bell.ts';
import { emailPerson } from '../notifications/emails.ts';
import { countAgainst, rateLimits } from '../requests/rate-limits.ts';
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
 * Checks that a person may start work, and the monthly limit of their admin, in the transaction
 * that reserves. Returns how much may be reserved, and queues an alert for a low balance.
 */
export async function checkSpending(
  ctx: Context,
  { userId, amount, wanted = amount }: Spending,
): Promise<number> {
  // The account is read after the lock: of two reservations, the second counts the first.
  const limits = await lockLimits(ctx.db, userId);
  const { available, month, obstacle } = await spendingWithin(ctx, userId, limits);
  if (obstacle) refuse(obstacle.code, { message: obstacle.message });
  const left = month?.left ?? Number.POSITIVE_INFINITY;
  if (month && amount > left) {
    const message = texts.monthlyLimitReached(month.limit, left, month.resetsAt);
    refuse('insufficient_credits', { message });
  }
  const reserving = Math.min(wanted, Math.max(available, amount), left);
  const alert = limits && {
    alertLevel: limits.low_balance_at,
    notifiedAt: limits.low_balance_notified_at,
  };
  if (alert && fallsBelowAlert({ ...alert, before: available, amount: reserving })) {
    await updateLimits(ctx.db, userId, { low_balance_notified_at: ctx.clock.now() });
    await notify(ctx, { userId, kind: 'low_balance', text: texts.lowBalance, path: '/credits' });
    // Each change of the limits tells again, and the admin may change them all day.
    const counted = { of: `low balance ${userId}`, count: 1 };
    if (!(await countAgainst(ctx, rateLimits.emailPerAddress, counted)))
      await ctx.enqueue(ctx.db, ...lowBalanceEmails(userId));
  }
  return Math.min(available, left);
}

/** What a person may spend, for a quote. `month`: the rest of a monthly limit, or null. */
export async function findSpending(ctx: Context, userId: string) {
  return spendingWithin(ctx, userId, await findLimits(ctx.db, userId));
}

/** Why a batch pauses when the monthly limit allows less than this; null otherwise. */
export async function describeReachedLimit(
  ctx: Context,
  userId: string,
  needed: number,
): Promise<string | null> {
  const { month } = await findSpending(ctx, userId);
  if (!month || month.left >= needed) return null;
  return texts.pausedByMonthlyLimit(month.limit, month.resetsAt);
}

type Limits = Awaited<ReturnType<typeof findLimits>>;

async function spendingWithin(ctx: Context, userId: string, limits: Limits) {
  const account = await findAccount(ctx.db, userId);
  const obstacle = account ? blockReasonOf(account) : null;
  const available = account?.available ?? 0;
  const debt = account?.debt ?? 0;
  const limit = limits?.monthly_limit ?? null;
  if (limit === null) return { available, debt, obstacle, month: null };
  const now = ctx.clock.now();
  // After the account: a row that is charged in between counts twice, not never.
  const spent = await sumSpentSince(ctx.db, { userId, since: startOfMonth(now) });
  const left = monthlyAllowance({ limit, spent, reserved: account?.reserved ?? 0 });
  return { available, debt, obstacle, month: { limit, left, resetsAt: startOfMonth(now, 1) } };
}

/** Why a person may start nothing, at any cost: their account is frozen or in debt. */
function blockReasonOf({ frozen_at: frozenAt, debt }: { frozen_at: Date | null; debt: number }) {
  if (frozenAt) return { code: 'not_now', message: texts.accountFrozen } as const;
  if (debt === 0) return null;
  return { code: 'insufficient_credits', message: texts.accountInDebt(debt) } as const;
}

interface LowBalanceEmail {
  userId: string;
  to: 'client' | 'admin';
}

/** One job for each address, so that one that fails does not repeat the email to the other. */
function lowBalanceEmails(userId: string): Job[] {
  return (['client', 'admin'] as const).map((to) => ({
    name: 'credits.low-balance',
    payload: { userId, to } satisfies LowBalanceEmail,
  }));
}

/** Sends nothing when the balance has risen to the alert level since. */
export async function sendLowBalanceEmail(
  ctx: Context,
  { userId, to }: LowBalanceEmail,
): Promise<void> {
  const client = await findUser(ctx.db, userId);
  if (!client || client.suspended_at) return;
  const available = (await findAccount(ctx.db, userId))?.available ?? 0;
  const alertLevel = (await findLimits(ctx.db, userId))?.low_balance_at ?? 0;
  if (available >= alertLevel) return;
  const { publicUrl } = ctx.config.http;
  if (to === 'client')
    return emailPerson(ctx, client, (to) => texts.ownLowBalanceEmail(to, available, publicUrl));
  const admin = client.admin_id ? await findUser(ctx.db, client.admin_id) : undefined;
  if (!admin || admin.suspended_at) return;
  const balance = { available, publicUrl };
  await emailPerson(ctx, admin, (to) => texts.clientLowBalanceEmail(to, client, balance));
}
