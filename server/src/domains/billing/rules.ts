import { type PaymentState, type ReversalState, type SaleItem, totalsOf } from '@rowmill/contract';
import { day } from '../../lib/clock.ts';
import type { Standing } from './port.ts';
import type { OrderLineRow, OrderRow } from './store/orders.ts';
import type { PaymentRow, ReversalRow } from './store/payments.ts';

/** What the providers take at most in one payment. */
export const orderMaximumMinor = 99_999_999;

/** The part of a total that is tax, rounded to the nearest minor unit. */
export function taxWithin(totalMinor: number, basisPoints: number): number {
  return totalMinor - Math.round((totalMinor * 10_000) / (10_000 + basisPoints));
}

interface Priced {
  id: string;
  name: string;
  count: number;
  rate_minor: number;
  currency: string;
}

type Line = Omit<OrderLineRow, 'order_id'>;

/** The lines of a cart at our prices, and what is wrong with those of the browser. */
export function priceCart(items: readonly SaleItem[], packs: readonly Priced[]) {
  const fields: Record<string, string> = {};
  const lines = items.flatMap(({ id, quantity, count, rate, currency }, position): Line[] => {
    const pack = packs.find((known) => known.id === id);
    if (!pack) fields[`items.${position}.id`] = 'This pack is not sold any more.';
    else if ((count ?? pack.count) !== pack.count)
      fields[`items.${position}.count`] = 'This pack has changed. Please look again.';
    else if ((rate ?? pack.rate_minor) !== pack.rate_minor)
      fields[`items.${position}.rate`] = 'The price has changed. Please look again.';
    else if ((currency ?? pack.currency) !== pack.currency)
      fields[`items.${position}.currency`] = otherCurrency(pack.currency);
    if (!pack) return [];
    return [
      {
        position,
        item_id: id,
        name: pack.name,
        quantity,
        count: pack.count,
        rate_minor: pack.rate_minor,
      },
    ];
  });
  const { qty, total } = totalsOf(
    lines.map(({ quantity, count, rate_minor }) => ({ quantity, count, rate: rate_minor })),
  );
  if (total > orderMaximumMinor)
    fields.items = 'This is more than can be paid at once. Please make several orders of it.';
  return { lines, submissions: qty, totalMinor: total, fields };
}

/** What was shown in one currency is not sold in another one, even where the number is the same. */
export function otherCurrency(present: string): string {
  return `Prices are in ${present} now. Please look again.`;
}

/** What the provider says must be about this order, to the last unit; else nothing is given, and somebody has to look. */
export function findMismatch(
  { order, payment, isLive }: { order: OrderRow; payment: PaymentRow; isLive: boolean },
  standing: Standing,
): string | null {
  const compared = {
    order: [standing.orderId, order.id],
    owner: [standing.userId, order.user_id],
    amount: [standing.amountMinor, order.total_minor],
    currency: [standing.currency, order.currency],
    mode: [standing.isLive, isLive],
    merchant: [standing.merchant, payment.merchant],
  };
  const wrong = Object.entries(compared).filter(([, [theirs, ours]]) => theirs !== ours);
  return wrong.length === 0 ? null : wrong.map(([what]) => what).join(', ');
}

/** How much of a payment has gone back or is held by a dispute, and how it therefore stands. Never more than was paid. */
export function judgeReversals(reversals: readonly ReversalRow[], totalMinor: number) {
  const sum = (wanted: (reversal: ReversalRow) => boolean) =>
    Math.min(
      totalMinor,
      reversals.filter(wanted).reduce((all, { amount_minor }) => all + amount_minor, 0),
    );
  const counted = reversals.filter(({ state }) => state !== 'returned');
  const refundedMinor = sum(
    ({ kind, state }) => state === 'taken' || (kind === 'refund' && state === 'open'),
  );
  const isDisputed = counted.some(({ kind }) => kind === 'dispute');
  const isRefunded =
    sum(({ kind, state }) => kind === 'refund' && state !== 'returned') === totalMinor;
  const status: PaymentState = isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'paid';
  return { reversedMinor: sum(({ state }) => state !== 'returned'), refundedMinor, status };
}

/** What is neither given back nor taken by a dispute yet; nothing where nothing was paid. */
export function stillToGiveBack(standing: Standing): number {
  return standing.state === 'paid' ? standing.amountMinor - goneOf(standing, ['open', 'taken']) : 0;
}

/** Only what has arrived counts: a refund that is under way may still fail, and a dispute may be won. */
export function isGivenBack(standing: Standing): boolean {
  return standing.state !== 'paid' || standing.amountMinor <= goneOf(standing, ['taken']);
}

function goneOf({ reversals }: Standing, states: readonly ReversalState[]): number {
  return reversals
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The submissions that go back with a part of the price, rounded against the part: all of the price is all of them. */
export function shareOf(submissions: number, partMinor: number, totalMinor: number): number {
  const share =
    (BigInt(submissions) * BigInt(partMinor) + BigInt(totalMinor) - 1n) / BigInt(totalMinor);
  return Number(share);
}

/** How long an order can still be paid at the prices it was made with. */
export const resumableDays = 7;

export function canResume({ payment_status: status, created_at }: OrderRow, now: Date): boolean {
  return (
    (status === 'pending' || status === 'failed') &&
    now.getTime() - created_at.getTime() < resumableDays * day
  );
}

export function invoiceUrl(orderId: string): string {
  return `/api/invoices/${orderId}`;
}
