import type { ActingFor, Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { newId } from '../../../lib/ids.ts';
import * as texts from '../../../texts/billing.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import type { NewPayment, OpenPayment } from '../port.ts';
import { canResume, isBeingChecked } from '../rules.ts';
import {
  findOrder,
  lockOrder,
  type OrderRow,
  type OwnOrder,
  updateOrder,
} from '../store/orders.ts';
import {
  insertPayment,
  listPaymentsOfOrder,
  type PaymentRow,
  updatePayment,
} from '../store/payments.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { asRefusal, providerForMethod, providerOf } from './providers.ts';

/**
 * Opens or finds the latest payment of an order at its provider. The payment's id is the
 * idempotency key, so a call after a lost answer opens no second one. Never inside a transaction.
 */
export async function openPayment(
  ctx: Context,
  order: OrderRow,
  { siteUrl }: Actor,
): Promise<OpenPayment> {
  const [payment] = await listPaymentsOfOrder(ctx.db, order.id);
  if (!payment) refuse('not_found');
  const provider = providerOf(ctx, payment);
  const known = payment.provider_ref && (await asRefusal(provider.find(payment.provider_ref)));
  if (known) return known;
  const open = await asRefusal(provider.open(newPayment(ctx, { order, payment, siteUrl })));
  await updatePayment(ctx.db, payment.id, { provider_ref: open.ref, merchant: open.merchant });
  return open;
}

/** From the provider people come back to the address at which they are signed in. */
function newPayment(
  ctx: Context,
  { order, payment, siteUrl }: { order: OrderRow; payment: PaymentRow; siteUrl: string },
): NewPayment {
  const page = order.type === 'plan' ? 'auth/billing' : 'checkout';
  const returnUrl = `${siteUrl}/${page}?order_id=${order.id}`;
  return {
    paymentId: payment.id,
    orderId: order.id,
    userId: order.user_id,
    totalMinor: order.total_minor,
    currency: order.currency,
    description: `${ctx.config.operator.product}: ${order.description}`,
    returnUrl,
    cancelUrl: `${returnUrl}&cancelled=1`,
  };
}

/** Checks whether the order is paid after all; starts a new attempt when the last has ended. */
export const resumePayment: Handler<'resumePayment'> = async (ctx, acting, request) => {
  const own = await findOrder(ctx.db, { id: request.order_id, userId: acting.subjectId });
  if (!own) refuse('not_found');
  providerForMethod(ctx, own.payment_method);
  const { replaced_by } = own;
  const order = { ...(await asRefusal(fulfilOrder(ctx, own.id))), replaced_by };
  if (!canResume(order, ctx.clock.now())) refuse('not_now', { message: whyNotResumable(order) });
  const [latest] = await listPaymentsOfOrder(ctx.db, order.id);
  if (latest && (await hasEnded(ctx, latest)))
    await addAttempt(ctx, acting, { order, attempt: latest.attempt + 1 });
  const open = await openPayment(ctx, order, acting.actor);
  return {
    order_id: order.id,
    type: order.type,
    description: order.description,
    provider: order.payment_method,
    total_minor: order.total_minor,
    currency: order.currency,
    client_secret: open.clientSecret,
    approve_url: open.approveUrl,
  };
};

/** It failed, and the buyer has no way to pay it. An approval fails when its capture is refused. */
async function hasEnded(ctx: Context, payment: PaymentRow): Promise<boolean> {
  if (!payment.provider_ref) return false;
  const snapshot = await asRefusal(providerOf(ctx, payment).find(payment.provider_ref));
  if (!snapshot) return true;
  const { state, clientSecret, approveUrl } = snapshot;
  const hasFailed =
    state === 'failed' || (state === 'approved' && payment.payment_status === 'failed');
  return hasFailed && !clientSecret && !approveUrl;
}

async function addAttempt(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { order, attempt }: { order: OrderRow; attempt: number },
) {
  await inTransaction(ctx, async (ctx) => {
    await lockOrder(ctx.db, order.id);
    const [latest] = await listPaymentsOfOrder(ctx.db, order.id);
    if (latest && latest.attempt >= attempt) return;
    const now = ctx.clock.now();
    await insertPayment(ctx.db, {
      id: newId(now),
      order_id: order.id,
      user_id: order.user_id,
      provider: providerForMethod(ctx, order.payment_method).name,
      attempt,
      payment_status: 'pending',
      created_at: now,
    });
    await updateOrder(ctx.db, order.id, {
      payment_status: 'pending',
      problem: null,
      is_processing: false,
    });
    await writeAuditEntry(ctx, { actor, subjectId }, 'payment_begun_anew', {
      order: order.id,
      description: order.description,
    });
  });
}

function whyNotResumable({ replaced_by, ...order }: OwnOrder): string {
  const { payment_status: status } = order;
  if (status !== 'pending' && status !== 'failed') return texts.nothingToPay;
  if (isBeingChecked(order)) return texts.paymentChecking;
  return replaced_by ? texts.paidInstead : texts.orderTooOld;
}
