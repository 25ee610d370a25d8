import type { ParsedRequestOf, resumePayment } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { openPayment } from './open-payment.ts';
import { inWords, providerFor } from './reach-provider.ts';
import { canResume } from './rules.ts';
import { findOrder, lockOrder, type OrderRow, updateOrder } from './store/orders.ts';
import { insertPayment, listPaymentsOfOrder } from './store/payments.ts';

/** Asks first whether it is not paid after all; and where the provider has given the payment up, opens another one. */
export async function resumeOrder(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof resumePayment>,
) {
  const own = await findOrder(ctx.db, { id: request.order_id, userId: acting.subjectId });
  if (!own) refuse('not_found');
  const provider = providerFor(ctx, own.provider);
  const order = await inWords(fulfilOrder(ctx, own.id));
  if (!canResume(order, ctx.clock.now())) refuse('not_now', { message: wordsFor(order) });
  const [latest] = await listPaymentsOfOrder(ctx.db, order.id);
  const standing = latest?.provider_ref ? await inWords(provider.find(latest.provider_ref)) : null;
  const isOver =
    latest?.provider_ref && (!standing || (!standing.clientSecret && standing.state === 'failed'));
  if (isOver) await addAttempt(ctx, acting, { order, attempt: latest.attempt + 1 });
  const open = await openPayment(ctx, order);
  const { id: order_id, type, description, total_minor, currency } = order;
  return {
    ...{ order_id, type, description, provider: order.provider, total_minor, currency },
    client_secret: open.clientSecret,
    approve_url: open.approveUrl,
  };
}

async function addAttempt(
  ctx: Context,
  { actor, subjectId }: Acting,
  { order, attempt }: { order: OrderRow; attempt: number },
) {
  const { id: order_id, user_id, provider, description } = order;
  await inTransaction(ctx, async (inside) => {
    await lockOrder(inside.db, order_id);
    const [latest] = await listPaymentsOfOrder(inside.db, order_id);
    if (latest && latest.attempt >= attempt) return;
    const now = ctx.clock.now();
    const unknown = {
      provider_ref: null,
      merchant: null,
      problem: null,
      payment_status: 'pending' as const,
    };
    await insertPayment(inside.db, {
      ...unknown,
      id: newId(now),
      order_id,
      user_id,
      provider,
      attempt,
      created_at: now,
    });
    await updateOrder(inside.db, order_id, { payment_status: 'pending', problem: null });
    const detail = { order: order_id, description };
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'payment_begun_anew',
      detail,
    });
  });
}

function wordsFor({ payment_status: status }: OrderRow): string {
  if (status === 'pending' || status === 'failed')
    return 'This order is too old to be paid. Please order anew.';
  return 'There is nothing to pay for this order any more.';
}
