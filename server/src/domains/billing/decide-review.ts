import type { decideReview as decideReviewCall, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import type { Standing } from './port.ts';
import { inWords, providerFor } from './reach-provider.ts';
import { settlePayment } from './settle-payment.ts';
import { lockOrder, type OrderRow, updateOrder } from './store/orders.ts';
import { getPayment, type PaymentRow, updatePayment } from './store/payments.ts';
import { findPayment } from './store/reviews.ts';
import { refusalMail } from './tell-refusal.ts';

/** An operator says what becomes of a payment that does not fit its order. Either way it is decided once. */
export async function decideReview(ctx: Context, actor: Actor, request: ParsedRequestOf<typeof decideReviewCall>) {
  const { decision, reason } = request;
  const payment = await findPayment(ctx.db, request.payment_id);
  if (!payment) refuse('not_found');
  refuseDecided(payment);
  const isAccepted = decision === 'accept';
  const standing = isAccepted ? await findPaid(ctx, payment) : null;
  await inTransaction(ctx, async (inside) => {
    const order = await lockOrder(inside.db, payment.order_id);
    refuseDecided(await getPayment(inside.db, payment.id));
    if (standing) await accept(inside, { order, payment, standing });
    else await turnDown(inside, { order, payment });
    const detail = { order: order.id, payment: payment.id, reason };
    const act = isAccepted ? 'payment_accepted' : 'payment_refused';
    await writeAuditEntry(inside, { actorId: actor.id, subjectId: order.user_id, act, detail });
    record(ctx, act, { user_id: order.user_id, actor_id: actor.id, order: order.id });
  });
  return { message: isAccepted ? 'It is accepted, and what was ordered is given.' : 'It is refused, and nothing is given.' };
}

function refuseDecided({ payment_status }: PaymentRow): void {
  if (payment_status !== 'review') refuse('not_now', { message: 'This payment is decided already.' });
}

/** Whatever else differs may be accepted, but not that no money has come. */
async function findPaid(ctx: Context, { provider, provider_ref: ref }: PaymentRow): Promise<Standing> {
  const standing = ref ? await inWords(providerFor(ctx, provider).find(ref)) : null;
  if (standing?.state !== 'paid') {
    refuse('not_now', { message: 'The provider does not say that this payment is paid, so it cannot be accepted.' });
  }
  return standing;
}

interface Case {
  order: OrderRow;
  payment: PaymentRow;
}

/** It is settled in the one way in which every payment is, as if it had come as ordered. Its refunds count as any others. */
async function accept(ctx: Context, { order, payment, standing }: Case & { standing: Standing }): Promise<void> {
  if (order.paid_at) {
    refuse('not_now', { message: 'This order was paid by another payment. Give this one back at the provider, and refuse it.' });
  }
  await updatePayment(ctx.db, payment.id, { payment_status: 'pending', problem: null });
  const asOrdered = {
    ...{ orderId: order.id, userId: order.user_id, amountMinor: order.total_minor, currency: order.currency },
    ...{ isLive: ctx.config.payments.live, merchant: payment.merchant },
  };
  await settlePayment(ctx, { orderId: order.id, paymentId: payment.id, standing: { ...standing, ...asOrdered } });
}

/** An order that another payment has paid stays as it is. */
async function turnDown(ctx: Context, { order, payment }: Case): Promise<void> {
  const problem = 'This payment did not fit its order and was not accepted. The money goes back to you.';
  const change = { payment_status: 'refunded' as const, problem };
  await updatePayment(ctx.db, payment.id, { ...change, refused_at: ctx.clock.now() });
  if (!order.paid_at) await updateOrder(ctx.db, order.id, change);
  await ctx.enqueue(ctx.db, refusalMail(order.id));
}
