import {
  type ChosenPlan,
  type PaymentState,
  type Plan,
  type ReversalState,
  type SaleItem,
  totalsOf,
} from '@rowmill/contract';
import type { PackTable } from '../../db/billing-tables.ts';
import { day } from '../../lib/clock.ts';
import * as texts from '../../texts/billing.ts';
import type { PaymentSnapshot } from './port.ts';
import type { OrderLineRow, OrderRow, OwnOrder } from './store/orders.ts';
import type { PaymentRow, ReversalRow } from './store/payments.ts';

/** The most that both providers take in one payment. */
const orderMaximumMinor = 99_999_999;

/** The part of a total that is tax, rounded to the nearest minor unit. */
export function taxWithin(totalMinor: number, basisPoints: number): number {
  return totalMinor - Math.round((totalMinor * 10_000) / (10_000 + basisPoints));
}

/** A line of an order, as orders and invoices show it. */
export function presentLine({ name, quantity, count, rate_minor }: OrderLineRow) {
  return { name, quantity, count, rate_minor, total_minor: quantity * rate_minor };
}

type PricedPack = Pick<PackTable, 'id' | 'name' | 'count' | 'rate_minor' | 'currency'>;

/** Prices a cart from our packs. `fields` says where the prices shown in the browser differ. */
export function priceCart(items: readonly SaleItem[], packs: readonly PricedPack[]) {
  const fields: Record<string, string> = {};
  const lines: Omit<OrderLineRow, 'order_id'>[] = [];
  for (const [position, { id, quantity, count, rate, currency }] of items.entries()) {
    const pack = packs.find((known) => known.id === id);
    if (!pack) {
      fields[`items.${position}.id`] = texts.packGone;
      continue;
    }
    if ((count ?? pack.count) !== pack.count) fields[`items.${position}.count`] = texts.packChanged;
    else if ((rate ?? pack.rate_minor) !== pack.rate_minor)
      fields[`items.${position}.rate`] = texts.priceChanged;
    else if ((currency ?? pack.currency) !== pack.currency)
      fields[`items.${position}.currency`] = texts.currencyChanged(pack.currency);
    const { name, rate_minor } = pack;
    lines.push({ position, item_id: id, name, quantity, count: pack.count, rate_minor });
  }
  const { qty, total } = totalsOf(lines.map((line) => ({ ...line, rate: line.rate_minor })));
  if (total > orderMaximumMinor) fields.items = texts.orderTooLarge;
  return { lines, submissions: qty, totalMinor: total, fields };
}

/** Says where the terms of a plan that are shown in the browser differ from ours. */
export function planDifferences(
  shown: ChosenPlan,
  plan: Pick<Plan, Exclude<keyof ChosenPlan, 'id'>>,
): Record<string, string> {
  const problems = {
    price_minor: texts.priceChanged,
    currency: texts.currencyChanged(plan.currency),
    submissions: texts.planChanged,
    period_days: texts.planChanged,
  };
  const different = Object.entries(problems).filter(([term]) => {
    const name = term as keyof typeof problems;
    return (shown[name] ?? plan[name]) !== plan[name];
  });
  return Object.fromEntries(different.map(([term, problem]) => [`plan.${term}`, problem]));
}

/** What in a paid snapshot differs from the order. Any difference needs a review by an operator. */
export function findMismatch(
  { order, payment, isLive }: { order: OrderRow; payment: PaymentRow; isLive: boolean },
  snapshot: PaymentSnapshot,
): string | null {
  const compared = {
    order: [snapshot.orderId, order.id],
    owner: [snapshot.userId, order.user_id],
    amount: [snapshot.amountMinor, order.total_minor],
    currency: [snapshot.currency, order.currency],
    mode: [snapshot.isLive, isLive],
    merchant: [snapshot.merchant, payment.merchant],
  };
  const wrong = Object.entries(compared).filter(([, [theirs, ours]]) => theirs !== ours);
  return wrong.length === 0 ? null : wrong.map(([what]) => what).join(', ');
}

/**
 * Sums refunds and disputes of a payment, at most what was paid, and derives its state. A lost
 * dispute counts as a refund.
 */
export function summariseReversals(reversals: readonly ReversalRow[], totalMinor: number) {
  const sum = (wanted: (reversal: ReversalRow) => boolean) =>
    Math.min(
      totalMinor,
      reversals.filter(wanted).reduce((all, { amount_minor }) => all + amount_minor, 0),
    );
  const refundedMinor = sum(
    ({ kind, state }) => state === 'taken' || (kind === 'refund' && state === 'open'),
  );
  const isDisputed = reversals.some(({ kind, state }) => kind === 'dispute' && state === 'open');
  const isRefunded = refundedMinor === totalMinor;
  const status: PaymentState = isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'paid';
  return { reversedMinor: sum(({ state }) => state !== 'returned'), refundedMinor, status };
}

/** What is neither refunded nor taken by a dispute yet; nothing if nothing was paid. */
export function amountToRefund(snapshot: PaymentSnapshot): number {
  return snapshot.state === 'paid'
    ? snapshot.amountMinor - reversedIn(snapshot, ['open', 'taken'])
    : 0;
}

/** Counts only completed reversals: a pending refund may still fail, and a dispute may be won. */
export function isFullyRefunded(snapshot: PaymentSnapshot): boolean {
  return snapshot.state !== 'paid' || snapshot.amountMinor <= reversedIn(snapshot, ['taken']);
}

function reversedIn({ reversals }: PaymentSnapshot, states: readonly ReversalState[]): number {
  return reversals
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The share of a whole, such as of submissions, that a part of an amount pays for, rounded up. */
export function shareOf(whole: number, partMinor: number, totalMinor: number): number {
  const share = (BigInt(whole) * BigInt(partMinor) + BigInt(totalMinor) - 1n) / BigInt(totalMinor);
  return Number(share);
}

/** Paid by the buyer and not confirmed by the provider yet, so it must not be paid again. */
export function isBeingChecked({
  payment_status,
  is_processing,
}: Pick<OrderRow, 'payment_status' | 'is_processing'>): boolean {
  return payment_status === 'pending' && is_processing;
}

/** How long an order can be paid at the prices it was made with. */
const resumableDays = 7;

export function canResume(
  {
    created_at,
    replaced_by,
    ...order
  }: Pick<OwnOrder, 'payment_status' | 'is_processing' | 'created_at' | 'replaced_by'>,
  now: Date,
): boolean {
  return (
    (order.payment_status === 'pending' || order.payment_status === 'failed') &&
    !isBeingChecked(order) &&
    !replaced_by &&
    now.getTime() - created_at.getTime() < resumableDays * day
  );
}

/** An operator rejected the payment, and its money is not back with the buyer yet. */
export function awaitsRefund({ payment_status, refused_at }: PaymentRow): boolean {
  return refused_at !== null && payment_status === 'review';
}

export function invoiceUrl(orderId: string): string {
  return `/api/invoices/${orderId}`;
}
