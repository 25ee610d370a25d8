import type { PaymentState } from '@rowmill/contract';
import type { PaymentSnapshot, Reversal } from '../../src/domains/billing/port.ts';
import { Mismatch } from './expect.ts';
import type { GatewayAnswer } from './fake-gateway.ts';
import type { Order, Payment, Reference } from './reference.ts';

/** Applies a provider's answers to the reference, without those that a crash rolled back. */
export function applyAnswers(reference: Reference, answers: readonly GatewayAnswer[]): void {
  const last = new Map(
    answers
      .filter(({ snapshot, isLost }) => snapshot !== undefined && !isLost)
      .map((one) => [one.ref, one]),
  );
  for (const { ref, snapshot } of last.values()) {
    const order = reference.orders.find(({ payments }) =>
      payments.some((payment) => payment.ref === ref),
    );
    const payment = order?.payments.find((known) => known.ref === ref);
    if (!order || !payment || snapshot === undefined) continue;
    if (snapshot && payment.isRejected) applyToRejected({ order, payment, snapshot });
    else if (snapshot) applySnapshot(reference, { order, payment, snapshot });
    else if (!payment.isRejected) expire(order, payment);
  }
}

/** A rejected payment counts as refunded once all of its money is back. */
function applyToRejected({ order, payment, snapshot: { amountMinor, reversals } }: Update): void {
  const back = reversals
    .filter(({ state }) => state === 'taken')
    .reduce((sum, reversal) => sum + reversal.amountMinor, 0);
  if (back >= amountMinor) payment.status = 'refunded';
  if (!order.isPaid) order.status = statusOf(order);
}

interface Update {
  order: Order;
  payment: Payment;
  snapshot: PaymentSnapshot;
}

export function applySnapshot(
  reference: Reference,
  { order, payment, snapshot }: Update,
  { isAccepted = false } = {},
): void {
  if ((payment.status === 'review' && !isAccepted) || payment.isRejected) return;
  if (!payment.isPaid) {
    if (snapshot.state !== 'paid') applyUnpaid(payment, snapshot);
    else if (!isAccepted && (order.isPaid || snapshot.amountMinor !== order.totalMinor))
      payment.status = 'review';
    else {
      payment.isPaid = true;
      order.isPaid = true;
      reference.grant(order.owner, order.submissions);
    }
  }
  if (payment.isPaid) reverse(reference, { order, payment, snapshot });
  if (!order.isPaid) order.status = statusOf(order);
}

/** A payment that failed stays so until the buyer has paid again. */
function applyUnpaid(payment: Payment, { state, awaitsBuyer }: PaymentSnapshot): void {
  if (awaitsBuyer && payment.status === 'failed') return;
  payment.status = state === 'failed' ? 'failed' : 'pending';
  payment.isProcessing = state === 'pending' && !awaitsBuyer;
}

/** An unpaid order has the status of its latest attempt, or `review` if a payment did not match. */
function statusOf({ payments }: Order): PaymentState {
  if (payments.some(({ status }) => status === 'review')) return 'review';
  return payments.at(-1)?.status ?? 'pending';
}

const rank = { open: 0, taken: 1, returned: 2 };

/**
 * Sums up all reversals, as parts of what was paid, at most the price. Submissions that are already
 * spent become debt.
 */
function reverse(reference: Reference, { order, payment, snapshot }: Update): void {
  for (const reversal of snapshot.reversals) {
    const known = payment.reversals.get(reversal.ref);
    const share = (reversal.amountMinor * order.totalMinor) / snapshot.amountMinor;
    if (!known) payment.reversals.set(reversal.ref, { ...reversal, amountMinor: Math.ceil(share) });
    else if (rank[reversal.state] > rank[known.state]) known.state = reversal.state;
  }
  const all = [...payment.reversals.values()];
  const there = all.filter(({ state }) => state !== 'returned');
  const sum = (some: Reversal[]) =>
    Math.min(
      order.totalMinor,
      some.reduce((minor, { amountMinor }) => minor + amountMinor, 0),
    );
  const takenBack = Math.ceil((order.submissions * sum(there)) / order.totalMinor);
  reference.takeBack(order.owner, takenBack - order.takenBack);
  const isDisputed = there.some(({ kind, state }) => kind === 'dispute' && state === 'open');
  const refundedMinor = sum(
    all.filter(({ kind, state }) => state === 'taken' || (kind === 'refund' && state === 'open')),
  );
  const isRefunded = refundedMinor === order.totalMinor;
  const status = isDisputed ? 'disputed' : isRefunded ? 'refunded' : 'paid';
  payment.status = status;
  Object.assign(order, { takenBack, refundedMinor, status });
}

/** The provider no longer knows the payment. */
function expire(order: Order, payment: Payment): void {
  if (payment.status === 'pending') payment.status = 'failed';
  if (!order.isPaid) order.status = statusOf(order);
}

/** An operator decided a payment that did not match. */
export function decide(
  reference: Reference,
  { order, payment, snapshot }: Update,
  isAccepted: boolean,
): void {
  if (isAccepted) applySnapshot(reference, { order, payment, snapshot }, { isAccepted });
  else payment.isRejected = true;
  if (!order.isPaid) order.status = statusOf(order);
}

/** The latest payment of a pending order: the buyer has paid, and the provider decides. */
export function isBeingChecked({ payments }: Order): boolean {
  return payments.at(-1)?.isProcessing ?? false;
}

/** Fails orders that are unpaid after a day, or after 30 if the provider checks their payment. */
export function failUnpaid(
  reference: Reference,
  { before, checkedSince }: { before: number; checkedSince: number },
): void {
  const isUnpaid = (order: Order) =>
    order.createdAt < before &&
    order.payments.every(({ openedAt }) => openedAt < before) &&
    !(isBeingChecked(order) && order.createdAt >= checkedSince);
  for (const order of reference.orders.filter((one) => one.status === 'pending' && isUnpaid(one))) {
    order.status = 'failed';
    for (const payment of order.payments)
      if (payment.status === 'pending') payment.status = 'failed';
  }
}

/** At the end, after a last query to every provider: an order gives what was paid. */
export function compareWithGateway(order: Order, snapshots: readonly PaymentSnapshot[]): void {
  const paid = snapshots.filter(
    ({ state, amountMinor }) => state === 'paid' && amountMinor === order.totalMinor,
  );
  const isForOperator = order.payments.some(
    ({ status, isRejected }) => status === 'review' || isRejected,
  );
  const isAccepted = snapshots.some(
    ({ state, amountMinor }) => state === 'paid' && amountMinor !== order.totalMinor,
  );
  if (order.isPaid !== paid.length > 0 && !isForOperator && !isAccepted)
    throw new Mismatch(`${order.label} is paid by mistake, or not paid`);
  const [one] = paid;
  if (!order.isPaid || paid.length > 1 || !one || isAccepted) return;
  const gone = one.reversals
    .filter(({ state }) => state !== 'returned')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const share = Math.ceil(
    (order.submissions * Math.min(gone, order.totalMinor)) / order.totalMinor,
  );
  if (order.takenBack !== share)
    throw new Mismatch(`of ${order.label} ${order.takenBack} were taken back instead of ${share}`);
}
