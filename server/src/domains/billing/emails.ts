import type { PaymentState } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { invariant } from '../../core/refusal.ts';
import type { Job } from '../../jobs/job.ts';
import * as texts from '../../texts/billing.ts';
import { countRepaid } from '../credits/ledger.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { emailPerson } from '../notifications/emails.ts';
import { listInvoices } from './store/invoices.ts';
import { findOrder, getOrder } from './store/orders.ts';

interface InvoiceEmail {
  kind: 'receipt' | 'refund' | 'dispute' | 'stands';
  orderId: string;
  number: string;
  /** How much a dispute is about. Emails queued by an older version do not say. */
  disputedMinor?: number | undefined;
  /** The plan that the order paid for is taken back or returned too. */
  hasPlan?: boolean | undefined;
}

const emails = {
  receipt: texts.receiptEmail,
  refund: texts.creditNoteEmail,
  dispute: texts.disputeEmail,
  stands: texts.paymentStandsEmail,
};

/** The mail server may have been down for hours: an email tells the current state. */
const trueWhile: Partial<Record<InvoiceEmail['kind'], PaymentState>> = {
  dispute: 'disputed',
  stands: 'paid',
};

export function invoiceEmail(email: InvoiceEmail): Job {
  return { name: 'billing.mail', payload: email };
}

export async function sendInvoiceEmail(
  ctx: Context,
  { kind, orderId, number, disputedMinor, hasPlan }: InvoiceEmail,
): Promise<void> {
  const order = await getOrder(ctx.db, orderId);
  if ((trueWhile[kind] ?? order.payment_status) !== order.payment_status) return;
  const invoices = await listInvoices(ctx.db, orderId);
  const invoice = invoices.find((issued) => issued.number === number);
  invariant(invoice, 'an email about an invoice follows its issue');
  const { user_id: userId, submissions } = order;
  const { user } = await getPerson(ctx, userId);
  const repaid = await countRepaid(ctx, { userId, cause: `order:${orderId}` });
  const about = { ...invoice, disputedMinor, hasPlan, submissions, repaid };
  await emailPerson(ctx, user, (to) => emails[kind](to, about, ctx.config.http.publicUrl));
}

/** Tells the buyer how a review ended. After an accepted payment, the receipt does. */
export function paymentRejectedEmail(orderId: string): Job {
  return { name: 'billing.refused', payload: { orderId } };
}

export async function sendPaymentRejectedEmail(
  ctx: Context,
  { orderId }: { orderId: string },
): Promise<void> {
  const order = await getOrder(ctx.db, orderId);
  const { user } = await getPerson(ctx, order.user_id);
  const { operator, http } = ctx.config;
  const links = { publicUrl: http.publicUrl, supportEmail: operator.email };
  await emailPerson(ctx, user, (to) => texts.paymentRejectedEmail(to, order, links));
}

export function paymentFailedEmail(orderId: string): Job {
  return { name: 'billing.failed', payload: { orderId } };
}

export async function sendPaymentFailedEmail(
  ctx: Context,
  { orderId }: { orderId: string },
): Promise<void> {
  const order = await getOrder(ctx.db, orderId);
  // The mail server may have been down, and the buyer has tried again or paid meanwhile.
  const own = await findOrder(ctx.db, { id: orderId, userId: order.user_id });
  if (order.payment_status !== 'failed' || own?.replaced_by) return;
  const { user } = await getPerson(ctx, order.user_id);
  const { publicUrl } = ctx.config.http;
  await emailPerson(ctx, user, (to) => texts.paymentFailedEmail(to, order, publicUrl));
}
