import { nameOf, type PaymentState } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import * as texts from '../../../texts/billing.ts';
import { findUser } from '../../identity/store/users.ts';
import { notify } from '../../notifications/bell.ts';
import { invoiceEmail, paymentFailedEmail, paymentRejectedEmail } from '../emails.ts';
import { listInvoices } from '../store/invoices.ts';
import { findOrder, type OrderRow } from '../store/orders.ts';

export interface Reversed {
  /** As it was before. */
  order: OrderRow;
  status: PaymentState;
  reversedMinor: number;
  refundedMinor: number;
  takenBack: number;
  /** The plan of the order is taken back or returned too. */
  hasPlan: boolean;
}

/**
 * Tells the buyer what refunds and disputes have changed: in the bell, and by email when a dispute
 * opens or ends. A refund or lost dispute is emailed with its credit note. Their admin is told in
 * the bell what the client lost or has back.
 */
export async function tellOfReversal(ctx: Context, reversed: Reversed): Promise<void> {
  const { order, status, reversedMinor, refundedMinor, takenBack, hasPlan } = reversed;
  const part = (minor: number) => texts.partOfOrder({ ...order, minor });
  // By money: a purchase may have no submissions.
  const changeMinor = reversedMinor - order.reversed_minor;
  const moved = part(Math.abs(changeMinor));
  const goods = { submissions: Math.abs(takenBack - order.taken_back), hasPlan };
  const isOpen = status === 'disputed';
  const hasEnded = order.payment_status === 'disputed' && !isOpen;
  /** Also what a dispute is lost in part. */
  const returnedMinor = refundedMinor - order.refunded_minor;
  if (changeMinor > 0 && isOpen && returnedMinor <= 0) {
    await tell(ctx, order, texts.paymentDisputed(moved, goods));
    await sendEmail(ctx, order, { kind: 'dispute', disputedMinor: changeMinor, hasPlan });
  } else if (changeMinor > 0) await tell(ctx, order, texts.paymentRefunded(moved, goods));
  else if (changeMinor < 0) {
    await tell(ctx, order, texts.paymentStands(moved, goods));
    if (hasEnded && returnedMinor <= 0) await sendEmail(ctx, order, { kind: 'stands', hasPlan });
    // PayPal may list the refund of a lost dispute before it closes the dispute.
  } else if (returnedMinor > 0)
    await tell(ctx, order, texts.disputeLost(part(returnedMinor), takenBack));
  await tellAdmin(ctx, order, changeMinor > 0 ? texts.clientLost : texts.clientHasBack, goods);
}

/** The admin sees the balance of the client change, which may need more submissions now. */
async function tellAdmin(
  ctx: Context,
  { user_id }: OrderRow,
  describe: typeof texts.clientLost,
  goods: Parameters<typeof texts.clientLost>[1],
): Promise<void> {
  const client = await findUser(ctx.db, user_id);
  const text = client && describe(nameOf(client), goods);
  if (!client?.admin_id || !text) return;
  const path = `/clients?search=${encodeURIComponent(client.email)}`;
  const news = { userId: client.admin_id, clientId: client.id, kind: 'payment' as const };
  await notify(ctx, { ...news, text, path });
}

/**
 * A payment that the provider was still checking, so the buyer has left the page. Nothing if they
 * have paid the same in another order: they must not try again.
 */
export async function tellOfFailure(ctx: Context, order: OrderRow): Promise<void> {
  const { id, user_id: userId } = order;
  if ((await findOrder(ctx.db, { id, userId }))?.replaced_by) return;
  const part = texts.partOfOrder({ ...order, minor: order.total_minor });
  if (await tell(ctx, order, texts.paymentFailed(part)))
    await ctx.enqueue(ctx.db, paymentFailedEmail(id));
}

/** An operator has rejected a payment of this order, and its money is back. */
export async function tellOfRejection(ctx: Context, order: OrderRow): Promise<void> {
  const { id, description, paid_at } = order;
  const text = paid_at ? texts.paidTwice(description) : texts.paymentRejected(description);
  if (await tell(ctx, order, text)) await ctx.enqueue(ctx.db, paymentRejectedEmail(id));
}

async function sendEmail(
  ctx: Context,
  { id, user_id: userId }: OrderRow,
  email: { kind: 'dispute' | 'stands'; disputedMinor?: number; hasPlan: boolean },
): Promise<void> {
  const invoice = (await listInvoices(ctx.db, id)).find(({ series }) => series === 'INV');
  if (!invoice || !(await findUser(ctx.db, userId))) return;
  await ctx.enqueue(ctx.db, invoiceEmail({ ...email, orderId: id, number: invoice.number }));
}

/** False if the buyer has deleted their account. */
async function tell(ctx: Context, { id, user_id: userId }: OrderRow, text: string) {
  if (!(await findUser(ctx.db, userId))) return false;
  await notify(ctx, { userId, kind: 'payment', text, path: `/orders?order=${id}` });
  return true;
}
