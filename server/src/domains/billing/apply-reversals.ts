import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { reverseGrant } from '../credits/reverse-grant.ts';
import { setPlanRevoked } from '../plans/store.ts';
import { issueCreditNotes } from './issue-paper.ts';
import type { Reversal } from './port.ts';
import { judgeReversals, shareOf } from './rules.ts';
import { type OrderRow, updateOrder } from './store/orders.ts';
import { listReversals, mergeReversal, type PaymentRow, updatePayment } from './store/payments.ts';

interface Case {
  order: OrderRow;
  payment: PaymentRow;
  reversals: readonly Reversal[];
}

/**
 * Refunds and disputes are counted all together, never one by one: of what was granted, the share of the price that is
 * gone is taken back, and what was taken back too much returns. So partial, repeated, late and won ones come out right.
 */
export async function applyReversals(
  ctx: Context,
  { order, payment, reversals }: Case,
): Promise<void> {
  for (const { ref, kind, state, amountMinor } of reversals)
    await mergeReversal(ctx.db, {
      provider_ref: ref,
      payment_id: payment.id,
      kind,
      state,
      amount_minor: amountMinor,
    });
  const known = await listReversals(ctx.db, payment.id);
  const { reversedMinor, refundedMinor, status } = judgeReversals(known, order.total_minor);
  const takenBack = shareOf(order.granted, reversedMinor, order.total_minor);
  await moveDifference(ctx, order, takenBack - order.taken_back);
  const change = { payment_status: status, refunded_minor: refundedMinor };
  await updatePayment(ctx.db, payment.id, change);
  await updateOrder(ctx.db, order.id, { ...change, taken_back: takenBack });
  const isGone = reversedMinor === order.total_minor;
  if (order.plan_id)
    await setPlanRevoked(ctx.db, { orderId: order.id, at: isGone ? ctx.clock.now() : null });
  await issueCreditNotes(ctx, order, known);
}

async function moveDifference(
  ctx: Context,
  { id, user_id: userId, actor_id: actorId }: OrderRow,
  more: number,
): Promise<void> {
  if (more === 0) return;
  const amount = Math.abs(more);
  const cause = `reverse:${id}:${newId(ctx.clock.now())}`;
  if (more > 0) await reverseGrant(ctx, { userId, amount, cause });
  else await moveCredits(ctx, { userId, from: 'world', to: 'available', amount, cause });
  const act = more > 0 ? 'order_reversed' : 'order_restored';
  await writeAuditEntry(ctx, {
    actorId,
    subjectId: userId,
    act,
    detail: { order: id, submissions: amount },
  });
  record(ctx, act, { user_id: userId, order: id, submissions: amount });
}
