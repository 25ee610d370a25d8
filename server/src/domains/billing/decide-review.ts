import type { decideReview as decideReviewCall, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { closeGivenBack, giveBackJob, isToGiveBack } from './give-back.ts';
import type { Standing } from './port.ts';
import { inWords, providerFor } from './reach-provider.ts';
import { settlePayment } from './settle-payment.ts';
import { lockOrder, type OrderRow, updateOrder } from './store/orders.ts';
import { getPayment, type PaymentRow, updatePayment } from './store/payments.ts';
import { findPayment } from './store/reviews.ts';

/** An operator says what becomes of a payment that does not fit its order. Either way it is decided once. */
export async function decideReview(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof decideReviewCall>,
) {
  const { decision, reason } = request;
  const payment = await findPayment(ctx.db, request.payment_id);
  if (!payment) refuse('not_found');
  if (decision === 'given_back') return closeByHand(ctx, actor, { payment, reason });
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
  return {
    message: isAccepted
      ? 'It is accepted, and what was ordered is given.'
      : 'It is refused: nothing is given, and the money goes back.',
  };
}

/** The provider will not, or cannot any more: whoever has given the money back by another way says so. */
async function closeByHand(
  ctx: Context,
  actor: Actor,
  { payment, reason }: { payment: PaymentRow; reason: string },
) {
  await inTransaction(ctx, async (inside) => {
    const order = await lockOrder(inside.db, payment.order_id);
    if (!isToGiveBack(await getPayment(inside.db, payment.id)))
      refuse('not_now', { message: 'No money of this payment is waiting to be given back.' });
    await closeGivenBack(inside, payment);
    const detail = { order: order.id, payment: payment.id, reason };
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: order.user_id,
      act: 'payment_given_back',
      detail,
    });
  });
  return { message: 'It is closed: the money was given back by another way.' };
}

function refuseDecided({ payment_status, refused_at }: PaymentRow): void {
  if (payment_status !== 'review' || refused_at)
    refuse('not_now', { message: 'This payment is decided already.' });
}

/** Whatever else differs may be accepted, but not that no money has come. */
async function findPaid(
  ctx: Context,
  { provider, provider_ref: ref }: PaymentRow,
): Promise<Standing> {
  const standing = ref ? await inWords(providerFor(ctx, provider).find(ref)) : null;
  if (standing?.state !== 'paid') {
    refuse('not_now', {
      message: 'The provider does not say that this payment is paid, so it cannot be accepted.',
    });
  }
  return standing;
}

interface Case {
  order: OrderRow;
  payment: PaymentRow;
}

/** It is settled in the one way in which every payment is, as if it had come as ordered. Its refunds count as any others. */
async function accept(
  ctx: Context,
  { order, payment, standing }: Case & { standing: Standing },
): Promise<void> {
  if (order.paid_at) {
    refuse('not_now', {
      message: 'This order was paid by another payment, so this one can only be refused.',
    });
  }
  await updatePayment(ctx.db, payment.id, { payment_status: 'pending', problem: null });
  const asOrdered = {
    ...{
      orderId: order.id,
      userId: order.user_id,
      amountMinor: order.total_minor,
      currency: order.currency,
    },
    ...{ isLive: ctx.config.payments.live, merchant: payment.merchant },
  };
  await settlePayment(ctx, {
    orderId: order.id,
    paymentId: payment.id,
    standing: { ...standing, ...asOrdered },
  });
}

/** It stays in review until its money is back: no provider is asked inside a transaction, and whoever dies after it loses nothing. */
async function turnDown(ctx: Context, { order, payment }: Case): Promise<void> {
  const problem =
    'This payment did not fit its order and was not accepted. The money is being given back to you.';
  await updatePayment(ctx.db, payment.id, { problem, refused_at: ctx.clock.now() });
  if (!order.paid_at) await updateOrder(ctx.db, order.id, { problem });
  await ctx.enqueue(ctx.db, giveBackJob(payment.id));
}
