import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import type { Job } from '../../jobs/job.ts';
import { startOfMonth } from '../../lib/clock.ts';
import * as texts from '../../texts/credits.ts';
import { findUser } from '../identity/store/users.ts';
import { sendEmail } from '../notifications/emails.ts';
import { fallsBelowAlert, monthlyAllowance } from './rules.ts';
import { findAccount, lockLimits, sumSpentSince, updateLimits } from './store.ts';

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
  const account = await findAccount(ctx.db, userId);
  const now = ctx.clock.now();
  const left = monthlyAllowance({
    limit,
    spent: limit === null ? 0 : await sumSpentSince(ctx.db, { userId, since: startOfMonth(now) }),
    reserved: account?.reserved ?? 0,
  });
  if (amount > left) {
    const message = texts.monthlyLimitReached(limit ?? 0, left, startOfMonth(now, 1));
    refuse('insufficient_credits', { message });
  }
  const before = account?.available ?? 0;
  const reserving = Math.min(wanted, Math.max(before, amount), left);
  const notifiedAt = limits.low_balance_notified_at;
  if (fallsBelowAlert({ alertLevel, notifiedAt, before, amount: reserving })) {
    await updateLimits(ctx.db, userId, { low_balance_notified_at: now });
    await ctx.enqueue(ctx.db, lowBalanceEmail(userId));
  }
  return left;
}

/** A person in debt, or with a frozen account, starts no new work. */
export async function assertMayStartWork(ctx: Context, userId: string): Promise<void> {
  const account = await findAccount(ctx.db, userId);
  if (account?.frozen_at) refuse('not_now', { message: texts.accountFrozen });
  const debt = account?.debt ?? 0;
  if (debt > 0) refuse('insufficient_credits', { message: texts.accountInDebt(debt) });
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
  await sendEmail(ctx, client.email, texts.ownLowBalanceEmail(client, available, publicUrl));
  const admin = client.admin_id ? await findUser(ctx.db, client.admin_id) : undefined;
  if (!admin) return;
  const email = texts.clientLowBalanceEmail(admin, client, { available, publicUrl });
  await sendEmail(ctx, admin.email, email);
}
