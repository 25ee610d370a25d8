import type { PaymentMethod } from '@rowmill/contract';
import { formatMoney } from '../lib/money.ts';
import { formatNumber, formatSubmissions } from './numbers.ts';

// The bell
export const paymentReceived = (bought: string) => `Payment received: ${bought}.`;
export const paymentDisputed = (part: string, moved: Moved) =>
  `Payment disputed: ${part}.${withGoods(moved, (goods) => ` We took back ${goods} until it is decided.`)}`;
export const paymentRefunded = (part: string, moved: Moved) =>
  `Payment refunded: ${part}.${withGoods(moved, (goods) => ` We took back ${goods}.`)}`;
export const paymentStands = (part: string, moved: Moved) =>
  `Payment stands: ${part}.${withGoods(moved, (goods) => ` You have ${goods} back.`)}`;
export const disputeLost = (part: string, submissions: number) =>
  `Dispute decided: ${part} went back to you${submissions > 0 ? ', and we keep the submissions that we took back' : ''}.`;
/** For the admin of the buyer. Empty if nothing moved. */
export const clientLost = (client: string, moved: Moved) =>
  withGoods(moved, (goods) => `${client} lost ${goods}: a payment was refunded or disputed.`);
export const clientHasBack = (client: string, moved: Moved) =>
  withGoods(moved, (goods) => `${client} has ${goods} back: a disputed payment stands.`);
export const paymentFailed = (part: string) =>
  `Payment failed: ${part}. Open the order to try again.`;

export const paymentRejected = (bought: string) =>
  `Payment not accepted: ${bought}. We refunded the money.`;
export const paidTwice = (bought: string) =>
  `Paid twice: ${bought}. We refunded the second payment.`;

/** What a refund or dispute takes back, or a won dispute returns. */
interface Moved {
  submissions: number;
  hasPlan: boolean;
}

/** Nothing if the payment bought nothing that can be taken back. */
function withGoods({ submissions, hasPlan }: Moved, say: (goods: string) => string): string {
  const goods = [
    ...(hasPlan ? ['the plan'] : []),
    ...(submissions > 0 ? [formatSubmissions(submissions)] : []),
  ];
  return goods.length > 0 ? say(goods.join(' and ')) : '';
}

interface Part {
  minor: number;
  total_minor: number;
  currency: string;
}

/** Such as “£2.00 of £6.00”, or “£6.00” for all of it. */
function partOf({ minor, total_minor, currency }: Part): string {
  const total = formatMoney(total_minor, currency);
  return minor === total_minor ? total : `${formatMoney(minor, currency)} of ${total}`;
}

/** Such as “£2.00 of £6.00 for 500 submissions”. */
export function partOfOrder({ description, ...part }: Part & { description: string }): string {
  return `${partOf(part)} for ${description}`;
}

// Carts and orders
export const packGone = 'This pack is no longer on sale.';
export const planGone = 'This plan is no longer on sale. Choose another one.';
export const packChanged = 'This pack has changed. Check it and order again.';
export const planChanged = 'This plan has changed. Check it and order again.';
export const priceChanged = 'The price has changed. Check it and order again.';
export const currencyChanged = (currency: string) =>
  `Prices are now in ${currency}. Check them and order again.`;
export const orderTooLarge =
  'This is more than one payment can take. Split it into several orders.';
export const mixedCurrencies =
  'These packs are priced in different currencies. Order them separately.';
export const freePlan = (plan: string) => `The plan ${plan} is free and needs no order.`;
export const choosePlan = 'Choose a plan.';
export const emptyCart = 'Your cart is empty.';
export const planName = (plan: string) => `Plan ${plan}`;
export const creditsAdded = (count: number) => `${formatSubmissions(count)} added to your balance.`;
export const planBought = (plan: string) => `You have bought the plan ${plan}.`;
export const addressSaved = 'Billing address saved.';

// Payments
const methods: Record<PaymentMethod, string> = { card: 'Card', wallet: 'Wallet' };
export const methodUnavailable = (method: PaymentMethod) =>
  `${methods[method]} payment is not available here.`;
export const providerNotSetUp = 'The provider of this payment is not set up here.';
export const providerUnavailable = 'The payment provider is not responding. Try again in a moment.';
export const paymentEnded = 'This payment has ended. Continue from your orders.';
export const orderTooOld = 'This order is too old to pay. Place a new one.';
export const paidInstead =
  'You have already paid for these items in another order. To buy them again, place a new order.';
export const nothingToPay = 'There is nothing left to pay for this order.';
export const paymentExpired = 'This payment expired at the provider.';
export const buyerDeleted = 'The buyer deleted their account. No money was taken.';
export const notPaidInTime = 'This order was not paid in time.';

// What PayPal and Stripe report without their own message
export const paymentCancelled = 'This payment was cancelled.';
export const paymentChecking = 'The payment provider is still checking this payment.';
export const walletDeclined = 'The wallet declined this payment.';
export const nothingCaptured = 'PayPal has captured no money for this payment.';
export const paypalRefused = 'PayPal refused this payment.';

// Payment reviews
export const paymentInReview = (isDisputed: boolean) =>
  `We are checking this payment and will email you.${isDisputed ? ' It is disputed.' : ''}`;
export const refundPending = (isDisputed: boolean) =>
  `This payment did not match its order and was not accepted. ${
    isDisputed
      ? 'It is disputed: we refund what the dispute does not return.'
      : 'We are refunding it.'
  }`;
export const refundDone =
  'This payment did not match its order and was not accepted. We have refunded it.';
export const unknownToProvider = 'The provider no longer knows this payment.';
export const reviewAccepted = 'Payment accepted and order fulfilled.';
export const reviewRejected = 'Payment rejected. The money is being refunded.';
export const reviewClosed = 'Review closed: the money was returned another way.';
export const reviewDecided = 'This payment has already been decided.';
export const noRefundPending = 'No refund of this payment is pending.';
export const notPaidAtProvider =
  'The provider does not report this payment as paid, so you cannot accept it.';
export const noBuyer = 'The buyer deleted their account, so you can only reject this payment.';
export const orderPaidAlready =
  'This order is already paid by another payment, so you can only reject this one.';

// Invoices
export const pageOf = (document: string, page: number) => `${document}, page ${page}`;
export const invoiceTitle = 'Invoice';
export const unusableFont = (font: string) =>
  `INVOICE_FONT is "${font}", but no invoice can be made with that font. Variable fonts often fail: use one of a fixed weight.`;
export const creditNoteTitle = 'Credit note';
export const paidBy = (method: PaymentMethod) => `Paid by ${method}`;
export const refundOf = (order: string) => `Refund of ${order}`;
export const disputeOf = (order: string) => `Disputed payment of ${order}`;
export const corrects = (invoice: string) => `Corrects invoice ${invoice}`;

// The list of invoices. Amounts of credit notes are negative.
export const invoiceListTitles = [
  'Number',
  'Date',
  'Corrects',
  'Customer',
  'Country',
  'Customer tax number',
  'Net',
  'Tax %',
  'Tax',
  'Gross',
  'Currency',
  'Order',
];
export const endsBeforeStart = 'Must not be before the first day.';
export const periodTooLong = 'At most 366 days at a time.';

// Emails
interface Recipient {
  first_name: string;
  email: string;
}

interface Invoice {
  number: string;
  order_id: string;
  document: {
    lines: readonly { name: string; quantity: number; total_minor: number }[];
    total_minor: number;
    currency: string;
    note: string;
  };
}

interface Returned extends Invoice {
  disputedMinor?: number | undefined;
  /** The plan of the order is taken back or returned too. */
  hasPlan?: boolean | undefined;
}

const itsGoods = ({ hasPlan }: Returned) =>
  hasPlan ? 'the plan and the submissions' : 'the submissions';

const orderUrl = (publicUrl: string, orderId: string) => `${publicUrl}/orders?order=${orderId}`;

interface Paid extends Invoice {
  submissions: number;
  /** How many of them paid a debt. */
  repaid: number;
}

function whatCame({ submissions, repaid }: Paid): string {
  if (submissions === 0) return 'It is paid.';
  const added = 'It is paid, and the submissions were added to your balance.';
  return repaid === 0
    ? added
    : `${added} ${formatNumber(repaid)} of them paid what you owed after a refund or dispute.`;
}

export function receiptEmail(to: Recipient, invoice: Paid, publicUrl: string) {
  const { lines, total_minor, currency, note } = invoice.document;
  return {
    subject: `Your invoice ${invoice.number}`,
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      `Thank you for your order. ${whatCame(invoice)}`,
      ...lines.map(
        (line) => `${line.quantity} × ${line.name}: ${formatMoney(line.total_minor, currency)}`,
      ),
      `Total: ${formatMoney(total_minor, currency)}. ${note}. You can download invoice ${invoice.number} as a PDF.`,
    ],
    action: { label: 'Open the invoice', url: orderUrl(publicUrl, invoice.order_id) },
    reason: `We sent this to ${to.email} because this account made a purchase.`,
  };
}

export function creditNoteEmail(to: Recipient, invoice: Returned, publicUrl: string) {
  const { total_minor, currency, note } = invoice.document;
  return {
    subject: `Your credit note ${invoice.number}`,
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      `${formatMoney(total_minor, currency)} of your payment was returned. ${note}.`,
      `We removed ${itsGoods(invoice)} it paid for. If you had already used submissions, your next purchase covers them first.`,
    ],
    action: { label: 'Open the order', url: orderUrl(publicUrl, invoice.order_id) },
    reason: `We sent this to ${to.email} because a payment of this account was refunded or disputed.`,
  };
}

export function disputeEmail(to: Recipient, invoice: Returned, publicUrl: string) {
  const { disputedMinor: minor = invoice.document.total_minor } = invoice;
  return {
    subject: `Your payment of invoice ${invoice.number} is disputed`,
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      `Your bank or wallet tells us that the payment of invoice ${invoice.number} (${partOf({ ...invoice.document, minor })}) is disputed. Until it decides, we took back ${itsGoods(invoice)} that the disputed amount paid for. If you had already used submissions, your next purchase covers them first.`,
      'If the dispute is a mistake, ask your bank or wallet to withdraw it. When the payment stands, you have everything back.',
    ],
    action: { label: 'Open the order', url: orderUrl(publicUrl, invoice.order_id) },
    reason: `We sent this to ${to.email} because a payment of this account was disputed.`,
  };
}

export function paymentStandsEmail(to: Recipient, invoice: Returned, publicUrl: string) {
  return {
    subject: `Your payment of invoice ${invoice.number} stands`,
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      `The dispute about the payment of invoice ${invoice.number} has ended, and the payment stands. You have ${itsGoods(invoice)} back that we took for it.`,
    ],
    action: { label: 'Open the order', url: orderUrl(publicUrl, invoice.order_id) },
    reason: `We sent this to ${to.email} because a payment of this account was disputed.`,
  };
}

interface FailedOrder {
  id: string;
  description: string;
  total_minor: number;
  currency: string;
  problem: string | null;
}

export function paymentFailedEmail(to: Recipient, order: FailedOrder, publicUrl: string) {
  const part = partOfOrder({ ...order, minor: order.total_minor });
  return {
    subject: 'Your payment failed',
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      `Your payment of ${part} was being checked, and has failed. You received nothing for it.`,
      ...(order.problem ? [order.problem] : []),
      'To try again, open the order. If it can no longer be paid there, place a new one.',
    ],
    action: { label: 'Open the order', url: orderUrl(publicUrl, order.id) },
    reason: `We sent this to ${to.email} because this account made a payment.`,
  };
}

interface RejectedOrder {
  id: string;
  description: string;
  /** By another payment. */
  paid_at: Date | null;
}

export function paymentRejectedEmail(
  to: Recipient,
  order: RejectedOrder,
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
) {
  return {
    subject: 'Your payment was not accepted',
    greeting: `Hello ${to.first_name},`,
    paragraphs: [
      order.paid_at
        ? `Your order of ${order.description} was paid twice, so we did not accept the second payment.`
        : `A payment for your order of ${order.description} did not match the order, so we did not accept it. You received nothing for it.`,
      'We refunded the money. It can take a few days to appear in your account.',
      `If you have a question, please write to ${supportEmail}.`,
    ],
    action: { label: 'Open the order', url: orderUrl(publicUrl, order.id) },
    reason: `We sent this to ${to.email} because this account made a payment.`,
  };
}
