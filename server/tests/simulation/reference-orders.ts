import type { PaymentState } from '@rowmill/contract';
import type { PaymentSnapshot, Reversal } from '../../src/domains/billing/port.ts';
import { Difference } from './expect.ts';
import type { Said } from './fake-gateway.ts';
import type { Order, Payment, Reference } from './reference.ts';

/** What becomes of the reference by what a provider has said. What a crash has undone has not been said. */
export function hear(reference: Reference, said: readonly Said[]): void {
  const lost = new Set(said.filter(({ isLost }) => isLost).map(({ ref }) => ref));
  const last = new Map(
    said
      .filter(({ ref, snapshot }) => snapshot !== undefined && !lost.has(ref))
      .map((one) => [one.ref, one]),
  );
  for (const { ref, snapshot } of last.values()) {
    const order = reference.orders.find(({ payments }) =>
      payments.some((payment) => payment.ref === ref),
    );
    const payment = order?.payments.find((known) => known.ref === ref);
    if (!order || !payment || snapshot === undefined) continue;
    if (snapshot && payment.isRefused) hearOfRefused({ order, payment, snapshot });
    else if (snapshot) settle(reference, { order, payment, snapshot });
    else if (!payment.isRefused) expire(order, payment);
  }
}

/** What was refused is refunded as soon as all of its money is back. */
function hearOfRefused({ order, payment, snapshot: { amountMinor, reversals } }: News): void {
  const back = reversals
    .filter(({ state }) => state === 'taken')
    .reduce((sum, reversal) => sum + reversal.amountMinor, 0);
  if (back >= amountMinor) payment.status = 'refunded';
  if (!order.isPaid) order.status = statusOf(order);
}

interface News {
  order: Order;
  payment: Payment;
  snapshot: PaymentSnapshot;
}

export function settle(reference: Reference, { order, payment, snapshot }: News): void {
  if (payment.status === 'review' || payment.isRefused) return;
  if (!payment.isPaid) {
    if (snapshot.state !== 'paid')
      payment.status = snapshot.state === 'failed' ? 'failed' : 'pending';
    else if (order.isPaid || snapshot.amountMinor !== order.totalMinor) payment.status = 'review';
    else {
      payment.isPaid = true;
      order.isPaid = true;
      reference.grant(order.owner, order.submissions);
    }
  }
  if (payment.isPaid) reverse(reference, { order, payment, snapshot });
  if (!order.isPaid) order.status = statusOf(order);
}

/** Until it is paid an order stands as its latest attempt does, unless money has come that does not fit. */
function statusOf({ payments }: Order): PaymentState {
  if (payments.some(({ status }) => status === 'review')) return 'review';
  return payments.at(-1)?.status ?? 'pending';
}

const rank = { open: 0, taken: 1, returned: 2 };

/** All that has gone back, together, and never more than was paid; what a refund takes beyond what is there is owed. */
function reverse(reference: Reference, { order, payment, snapshot }: News): void {
  for (const reversal of snapshot.reversals) {
    const known = payment.reversals.get(reversal.ref);
    if (!known) payment.reversals.set(reversal.ref, { ...reversal });
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
  const refunds = there.filter(({ kind }) => kind === 'refund');
  const hasDispute = there.length > refunds.length;
  const status = hasDispute ? 'disputed' : sum(refunds) === order.totalMinor ? 'refunded' : 'paid';
  const refundedMinor = sum(
    all.filter(({ kind, state }) => state === 'taken' || (kind === 'refund' && state === 'open')),
  );
  payment.status = status;
  Object.assign(order, { takenBack, refundedMinor, status });
}

/** The provider does not know it any more. */
function expire(order: Order, payment: Payment): void {
  if (payment.status === 'pending') payment.status = 'failed';
  if (!order.isPaid) order.status = statusOf(order);
}

/** An operator has looked at what did not fit. Whether he may take it, the gateway says. */
export function decide(
  reference: Reference,
  { order, payment, snapshot }: News,
  isAccepted: boolean,
): void {
  if (isAccepted) {
    payment.status = 'pending';
    settle(reference, { order, payment, snapshot: { ...snapshot, amountMinor: order.totalMinor } });
  } else payment.isRefused = true;
  if (!order.isPaid) order.status = statusOf(order);
}

/** Nobody has paid them in a day. */
export function giveUp(reference: Reference, before: number): void {
  const isLeft = ({ createdAt, payments }: Order) =>
    createdAt < before && payments.every(({ openedAt }) => openedAt < before);
  for (const order of reference.orders.filter((one) => one.status === 'pending' && isLeft(one))) {
    order.status = 'failed';
    for (const payment of order.payments)
      if (payment.status === 'pending') payment.status = 'failed';
  }
}

/** At the end, when every provider was asked once more: what was given is what was paid for and has not gone back. */
export function compareWithGateway(order: Order, standings: readonly PaymentSnapshot[]): void {
  const paid = standings.filter(
    ({ state, amountMinor }) => state === 'paid' && amountMinor === order.totalMinor,
  );
  const isForOperator = order.payments.some(
    ({ status, isRefused }) => status === 'review' || isRefused,
  );
  const isAccepted = standings.some(
    ({ state, amountMinor }) => state === 'paid' && amountMinor !== order.totalMinor,
  );
  if (order.isPaid !== paid.length > 0 && !isForOperator && !isAccepted)
    throw new Difference(`${order.label} is paid, or is not`);
  const [one] = paid;
  if (!order.isPaid || paid.length > 1 || !one || isAccepted) return;
  const gone = one.reversals
    .filter(({ state }) => state !== 'returned')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const share = Math.ceil(
    (order.submissions * Math.min(gone, order.totalMinor)) / order.totalMinor,
  );
  if (order.takenBack !== share)
    throw new Difference(`of ${order.label} ${order.takenBack} are taken back instead of ${share}`);
}
