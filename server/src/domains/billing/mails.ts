import type { PaperDocument } from '../../db/billing-tables.ts';
import type { Job } from '../../jobs/job.ts';
import { formatMoney } from '../../lib/money.ts';
import type { MailContent } from '../notifications/mails.ts';

export interface BillingMail {
  kind: 'receipt' | 'refund';
  orderId: string;
  number: string;
}

export function billingMail(mail: BillingMail): Job {
  return { name: 'billing.mail', payload: mail };
}

interface Paper {
  number: string;
  order_id: string;
  document: PaperDocument;
}

export function receipt(
  person: { first_name: string; email: string },
  paper: Paper,
  publicUrl: string,
): MailContent {
  const { lines, total_minor, currency, note } = paper.document;
  return {
    subject: `Your invoice ${paper.number}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `thank you for your order. It is paid, and the submissions are yours.`,
      ...lines.map(
        ({ name, quantity, total_minor: minor }) =>
          `${quantity} × ${name}: ${formatMoney(minor, currency)}`,
      ),
      `Total ${formatMoney(total_minor, currency)}. ${note}. The invoice ${paper.number} waits for you as PDF.`,
    ],
    action: { label: 'Open the invoice', url: orderUrl(paper, publicUrl) },
    reason: `This mail goes to ${person.email} because something was bought with this account.`,
  };
}

export function refundNotice(
  person: { first_name: string; email: string },
  paper: Paper,
  publicUrl: string,
): MailContent {
  const { total_minor, currency, note } = paper.document;
  return {
    subject: `Your credit note ${paper.number}`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `${formatMoney(total_minor, currency)} of your payment went back. ${note}.`,
      'The submissions that belong to it were taken back. If they had been used already, they are owed, and the next ones that you buy settle that.',
    ],
    action: { label: 'Open the order', url: orderUrl(paper, publicUrl) },
    reason: `This mail goes to ${person.email} because a payment of this account was refunded or disputed.`,
  };
}

function orderUrl({ order_id }: Paper, publicUrl: string): string {
  return `${publicUrl}/orders?order=${order_id}`;
}
