import type { Context } from '../../../core/context.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { after, day, hour } from '../../../lib/clock.ts';
import * as texts from '../../../texts/billing.ts';
import { getBalance } from '../../credits/ledger.ts';
import { findUser } from '../../identity/store/users.ts';
import { countAgainst, rateLimits } from '../../requests/rate-limits.ts';
import { type PaymentProvider, PaymentRefused, type PaymentSnapshot } from '../port.ts';
import { awaitsRefund } from '../rules.ts';
import {
  findOrder,
  getOrder,
  listUnpaidOrdersOf,
  type OrderRow,
  updateOrder,
} from '../store/orders.ts';
import { listPaymentsOfOrder, type PaymentRow, updatePayment } from '../store/payments.ts';
import { applyPaymentSnapshot } from './apply-snapshot.ts';
import { refundPayment } from './refund-payment.ts';

/**
 * The only way to fulfil an order, for the buyer's confirmation, provider events and the
 * reconciler. It asks the provider about each payment, captures approved ones and applies the
 * result in one transaction. Concurrent and repeated calls are safe: nothing is given twice.
 */
export async function fulfilOrder(
  ctx: Context,
  orderId: string,
  /** The buyer approves this order now. */
  { isBuyerHere = false } = {},
): Promise<OrderRow> {
  const payments = await listPaymentsOfOrder(ctx.db, orderId);
  const unread: string[] = [];
  for (const payment of payments) {
    const isLatest = payment === payments[0];
    if (awaitsRefund(payment)) await refundPayment(ctx, payment.id);
    const snapshot = await fetchSnapshot(ctx, payment, { isLatest, isBuyerHere });
    if (!snapshot) continue;
    unread.push(...(snapshot.unreadDisputes ?? []));
    await inTransaction(ctx, (ctx) =>
      applyPaymentSnapshot(ctx, { orderId, paymentId: payment.id, snapshot }),
    );
  }
  if (unread.length > 0)
    ctx.log.warn({ order: orderId, disputes: unread }, 'disputes could not be read');
  const now = ctx.clock.now();
  // The reconciler asks again after a day, or an hour if something is missing.
  const checked_at = unread.length > 0 ? after(now, hour - day) : now;
  return updateOrder(ctx.db, orderId, { checked_at });
}

/**
 * Captures only the latest attempt: an earlier one would charge the buyer twice. So would an order
 * that the buyer gave up and replaced by another, unless they approve it again now.
 */
async function fetchSnapshot(
  ctx: Context,
  payment: PaymentRow,
  { isLatest, isBuyerHere }: { isLatest: boolean; isBuyerHere: boolean },
): Promise<PaymentSnapshot | null> {
  const { provider_ref: ref } = payment;
  const provider = ctx.payments.get(payment.provider);
  if (!ref || !provider) return null;
  const snapshot = await provider.find(ref);
  if (snapshot?.state === 'approved') {
    if (!isLatest || payment.refused_at) return null;
    if (isBuyerHere || !(await isReplaced(ctx, payment)))
      return capture(ctx, { provider, userId: payment.user_id, approved: snapshot });
  }
  if (!snapshot && payment.payment_status === 'pending') await expire(ctx, payment, isLatest);
  return snapshot;
}

async function isReplaced(ctx: Context, { order_id, user_id }: PaymentRow): Promise<boolean> {
  const order = await findOrder(ctx.db, { id: order_id, userId: user_id });
  return !!order?.replaced_by;
}

interface Approved {
  provider: PaymentProvider;
  userId: string;
  approved: PaymentSnapshot;
}

/** Not for a buyer who deleted their account: no one could use what the money buys. */
async function capture(
  ctx: Context,
  { provider, userId, approved }: Approved,
): Promise<PaymentSnapshot | null> {
  if (!(await findUser(ctx.db, userId)))
    return { ...approved, state: 'failed', problem: texts.buyerDeleted };
  try {
    await provider.capture?.(approved.ref);
  } catch (error) {
    if (error instanceof PaymentRefused)
      return { ...approved, state: 'failed', problem: error.message };
    throw error;
  }
  return provider.find(approved.ref);
}

/** The provider no longer knows the payment, so it was never paid. */
async function expire(
  ctx: Context,
  { id, order_id }: PaymentRow,
  isLatest: boolean,
): Promise<void> {
  const change = { payment_status: 'failed' as const, problem: texts.paymentExpired };
  await inTransaction(ctx, async ({ db }) => {
    await updatePayment(db, id, change);
    const order = await getOrder(db, order_id);
    if (isLatest && order.payment_status === 'pending') await updateOrder(db, order_id, change);
  });
}

/** Otherwise a few buyers could use up the rate limit of our key at the provider. */
export async function mayAskProvider(ctx: Context, userId: string): Promise<boolean> {
  const limit = rateLimits.paymentCheckPerPerson;
  return !(await countAgainst(ctx, limit, { of: userId, count: 1 }));
}

/**
 * Fulfils a person's orders of the last day, which may be paid without our knowledge. Inside a
 * transaction, which must not call a provider, a job does it, and the balance follows by push.
 */
export async function fulfilRecentOrders(ctx: Context, userId: string) {
  const since = after(ctx.clock.now(), -day);
  for (const { id } of await listUnpaidOrdersOf(ctx.db, { userId, since })) {
    if (!(await mayAskProvider(ctx, userId))) break;
    if (ctx.db.isTransaction)
      await ctx.enqueue(ctx.db, { name: 'billing.fulfil', payload: { orderId: id } });
    else
      await fulfilOrder(ctx, id).catch((error) =>
        ctx.log.warn({ err: error, order: id }, 'an order could not be checked'),
      );
  }
  return { creditsAvailable: await getBalance(ctx, userId) };
}
