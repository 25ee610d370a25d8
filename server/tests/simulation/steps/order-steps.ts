import type { PaymentMethod } from '@rowmill/contract';
import { inTransaction } from '../../../src/db/transaction.ts';
import { confirmOrder } from '../../../src/domains/billing/orders/confirm-order.ts';
import {
  createCreditIntent,
  createPlanIntent,
  createWalletOrder,
} from '../../../src/domains/billing/orders/create-order.ts';
import { applyPaymentSnapshot } from '../../../src/domains/billing/payments/apply-snapshot.ts';
import { fulfilOrder } from '../../../src/domains/billing/payments/fulfil-order.ts';
import { resumePayment } from '../../../src/domains/billing/payments/open-payment.ts';
import { decideReview } from '../../../src/domains/billing/payments/payment-reviews.ts';
import {
  processEvent,
  receiveEvent,
} from '../../../src/domains/billing/payments/provider-events.ts';
import { reconcileOrders } from '../../../src/domains/billing/payments/reconcile-orders.ts';
import { expectCall, Mismatch, outcomeOf } from '../expect.ts';
import { webhookOf } from '../fake-gateway.ts';
import type { Random } from '../random.ts';
import type { Order, Payment } from '../reference.ts';
import {
  applyAnswers,
  applySnapshot,
  decide,
  failUnpaid,
  isBeingChecked,
} from '../reference-orders.ts';
import type { Simulation } from '../simulation-state.ts';

const day = 86_400_000;
const crashChance = 0.08;
const callsOutside = 7;

/** Makes a call that queries providers, sometimes with a crash, and updates the reference. */
async function withGatewayAnswers(
  sim: Simulation,
  random: Random,
  call: () => Promise<unknown>,
): Promise<string> {
  const { gateway, faults } = sim.app;
  gateway.answers = [];
  if (random.chance(crashChance)) faults.arm(random.below(callsOutside));
  const { outcome } = await outcomeOf(call());
  faults.disarm();
  await readPaymentIds(sim);
  applyAnswers(sim.reference, gateway.answers);
  return outcome;
}

function expectOutcome(outcome: string, expected: string): string {
  if (outcome !== expected && outcome !== 'crash')
    throw new Mismatch(`answered ${outcome} instead of ${expected}`);
  return outcome;
}

/** Reads the ids of payment attempts from the database. Their states come from the reference. */
async function readPaymentIds({ app, reference }: Simulation): Promise<void> {
  const rows = await app.ctx.db
    .selectFrom('payments')
    .select(['id', 'order_id', 'attempt', 'provider_ref'])
    .orderBy('id')
    .execute();
  for (const { id, order_id, attempt, provider_ref: ref } of rows) {
    const order = reference.orders.find((known) => known.id === order_id);
    if (!order) throw new Mismatch(`there is an order ${order_id} that no step made`);
    const payment = order.payments.find((known) => known.id === id);
    if (payment) payment.ref = ref;
    else {
      const openedAt = app.clock.now().getTime();
      order.payments.push({
        id,
        attempt,
        openedAt,
        ref,
        status: 'pending',
        isPaid: false,
        isProcessing: false,
        isRejected: false,
        reversals: new Map(),
      });
      if (!order.isPaid && order.status !== 'review') order.status = 'pending';
    }
  }
}

const packs = [
  { id: 'pack-500', submissions: 500, minor: 600 },
  { id: 'pack-2000', submissions: 2_000, minor: 2_000 },
];
const plan = { id: 'month', submissions: 2_000, minor: 1_900 };

/** Orders packs or a plan, by card or wallet, with a new, a repeated or no idempotency key. */
export async function placeOrder(sim: Simulation, random: Random): Promise<string | null> {
  const { app, reference } = sim;
  const owner = random.pick(reference.users);
  const acting = owner && random.pick(owner.actors);
  const pack = random.pick(packs);
  if (!owner || !acting || !pack) return null;
  const method: PaymentMethod = random.chance(0.5) ? 'card' : 'wallet';
  const isPlan = random.chance(0.2);
  const quantity = 1 + random.below(3);
  const key = random.chance(0.3)
    ? `${method}-${isPlan ? 'plan' : 'packs'}-${random.below(4)}`
    : null;
  const known = await idsOf(sim);
  const ctx = key ? { ...app.ctx, workKey: key } : app.ctx;
  const items = [{ id: pack.id, quantity }];
  const calls = {
    card: () =>
      isPlan
        ? createPlanIntent(ctx, acting, { plan: { id: plan.id } })
        : createCreditIntent(ctx, acting, { plan: items }),
    wallet: () =>
      createWalletOrder(
        ctx,
        acting,
        isPlan ? { type: 'plan', plan: { id: plan.id } } : { type: 'credits', items },
      ),
  };
  const earlier = reference.orders.find(
    (order) => key !== null && order.owner === owner && order.key === key,
  );
  const expected = { outcome: isClosedAtGateway(sim, earlier) ? 'not_now' : 'ok' };
  const outcome = await expectCall<unknown>(app, random, { expected, call: calls[method] });
  const made = (await idsOf(sim)).filter((id) => !known.includes(id));
  const isAgain = earlier !== undefined;
  if (made.length > 1 || (isAgain && made.length > 0))
    throw new Mismatch(`${made.length} orders were made`);
  if (outcome === 'ok' && !isAgain && made.length === 0) throw new Mismatch('no order was made');
  const worth = isPlan
    ? plan
    : { submissions: quantity * pack.submissions, minor: quantity * pack.minor };
  for (const id of made)
    reference.orders.push({
      id,
      label: `order ${reference.orders.length + 1}`,
      owner,
      method,
      planId: isPlan ? plan.id : null,
      key,
      submissions: worth.submissions,
      totalMinor: worth.minor,
      createdAt: app.clock.now().getTime(),
      status: 'pending',
      isPaid: false,
      takenBack: 0,
      refundedMinor: 0,
      payments: [],
    });
  await readPaymentIds(sim);
  return `${method}, ${worth.submissions} for ${worth.minor}${key ? `, ${key}` : ''}: ${outcome}`;
}

/** Looked up by our id, because after a crash the product may not know the provider's. */
function isClosedAtGateway({ app }: Simulation, order: Order | undefined): boolean {
  const attempt = app.gateway.payments.find(
    ({ paymentId }) => paymentId === order?.payments.at(-1)?.id,
  );
  return (
    attempt !== undefined &&
    (attempt.provider === 'stripe' ? attempt.clientSecret : attempt.approveUrl) === null
  );
}

async function idsOf({ app }: Simulation): Promise<string[]> {
  return (await app.ctx.db.selectFrom('orders').select('id').execute()).map(({ id }) => id);
}

export async function confirm(sim: Simulation, random: Random): Promise<string | null> {
  const order = random.pick(sim.reference.orders);
  const acting = order && random.pick(order.owner.actors);
  if (!order || !acting) return null;
  const call = () => confirmOrder(sim.app.ctx, acting, { order_id: order.id });
  // For a paid order no provider is queried.
  return `${order.label} (${order.status}): ${expectOutcome(await withGatewayAnswers(sim, random, call), 'ok')}`;
}

/** A webhook arrives: in any order, repeated or forged. */
export async function deliver(sim: Simulation, random: Random): Promise<string | null> {
  const { app, events } = sim;
  const event = random.pick(events);
  if (!event) return null;
  const { provider, id, message } = event;
  const isForged = random.chance(0.05);
  const isKnown = sim.delivered.has(id);
  const before = app.eventJobs.length;
  const call = () =>
    receiveEvent(
      app.ctx,
      app.gateway.provider(provider),
      webhookOf({ id, ...message }, isForged ? 'broken' : 'genuine'),
    );
  const change = (isReceived: boolean) => {
    if (isReceived === isForged) throw new Mismatch(`a webhook is received: ${isReceived}`);
    const jobs = app.eventJobs.length - before;
    if (jobs !== (isForged || isKnown ? 0 : 1)) throw new Mismatch(`a webhook makes ${jobs} jobs`);
    if (!isForged) sim.delivered.add(id);
  };
  const outcome = await expectCall(app, random, { expected: { outcome: 'ok', change }, call });
  if (outcome === 'ok' && !isForged && random.chance(0.7)) events.splice(events.indexOf(event), 1);
  return `${id}${isForged ? ', forged' : ''}${isKnown ? ', again' : ''}: ${outcome}`;
}

/** A job processes a webhook. After a crash it runs again. */
export async function processOne(sim: Simulation, random: Random): Promise<string | null> {
  const { eventJobs, ctx } = sim.app;
  const job = random.pick(eventJobs);
  if (!job) return null;
  const outcome = expectOutcome(
    await withGatewayAnswers(sim, random, () => processEvent(ctx, job)),
    'ok',
  );
  if (outcome === 'ok' && !random.chance(0.1)) eventJobs.splice(eventJobs.indexOf(job), 1);
  return `${job.eventId}: ${outcome}`;
}

/** Applies a snapshot that was read long ago. */
export async function applyStale(sim: Simulation, random: Random): Promise<string | null> {
  const { app, reference, staleSnapshots } = sim;
  const stale = random.pick(staleSnapshots);
  const order = reference.orders.find(({ id }) => id === stale?.orderId);
  const payment = order?.payments.find(
    ({ id, ref }) => id === stale?.paymentId && ref === stale.snapshot.ref,
  );
  if (!stale || !order || !payment) return null;
  const { snapshot } = stale;
  const update = { orderId: order.id, paymentId: payment.id, snapshot };
  const call = () => inTransaction(app.ctx, (inside) => applyPaymentSnapshot(inside, update));
  const change = () => applySnapshot(reference, { order, payment, snapshot });
  return `${order.label}, ${snapshot.state}: ${await expectCall(app, random, { expected: { outcome: 'ok', change }, call })}`;
}

/** Sometimes a day later. */
export async function reconcile(sim: Simulation, random: Random): Promise<string> {
  const { app, reference } = sim;
  if (random.chance(0.15)) app.clock.advance(day);
  const now = app.clock.now().getTime();
  failUnpaid(reference, { before: now - day, checkedSince: now - 30 * day });
  return expectOutcome(await withGatewayAnswers(sim, random, () => reconcileOrders(app.ctx)), 'ok');
}

/** An operator accepts or rejects a payment that does not match. */
export async function decideOne(sim: Simulation, random: Random): Promise<string | null> {
  const { app, reference, operator } = sim;
  const order = random.pick(reference.orders.filter(({ payments }) => payments.some(isInReview)));
  const payment = order?.payments.find(isInReview);
  const snapshot = app.gateway.get(payment?.ref ?? '');
  if (!order || !payment || !snapshot) return null;
  const isAccepted = random.chance(0.5);
  const expected =
    isAccepted && order.isPaid
      ? { outcome: 'not_now' }
      : {
          outcome: 'ok',
          change: () => decide(reference, { order, payment, snapshot }, isAccepted),
        };
  const decision = isAccepted ? ('accept' as const) : ('refuse' as const);
  const call = () =>
    decideReview(app.ctx, operator, { payment_id: payment.id, decision, reason: 'Checked.' });
  return `${order.label} (${order.status}), ${decision}: ${await expectCall<unknown>(app, random, { expected, call })}`;
}

const isInReview = ({ status, isRejected }: Payment) => status === 'review' && !isRejected;

/** A buyer resumes an unpaid order. */
export async function resume(sim: Simulation, random: Random): Promise<string | null> {
  const { app, reference } = sim;
  const order = random.pick(reference.orders);
  const acting = order && random.pick(order.owner.actors);
  if (!order || !acting) return null;
  // Refreshed first, so that a crash in the call leaves no unknown state.
  await refreshOrder(sim, order);
  await refreshOrder(sim, order);
  const isOpen =
    order.status === 'failed' || (order.status === 'pending' && !isBeingChecked(order));
  const isPayable =
    app.clock.now().getTime() - order.createdAt < 7 * day && !(await isPaidInstead(sim, order));
  const expected = isOpen && isPayable ? 'ok' : 'not_now';
  const outcome = await withGatewayAnswers(sim, random, () =>
    resumePayment(app.ctx, acting, { order_id: order.id }),
  );
  return `${order.label} (${order.status}), ${order.payments.length} attempts: ${expectOutcome(outcome, expected)}`;
}

/** Whether the same was paid in another order. Times come from the database. */
async function isPaidInstead({ app, reference }: Simulation, order: Order): Promise<boolean> {
  const rows = await app.ctx.db.selectFrom('orders').select(['id', 'paid_at']).execute();
  const times = new Map(rows.map(({ id, paid_at }) => [id, paid_at?.getTime()]));
  return reference.orders.some(
    ({ id, owner, planId, submissions, status, createdAt }) =>
      owner === order.owner &&
      planId === order.planId &&
      submissions === order.submissions &&
      ['paid', 'disputed', 'review'].includes(status) &&
      (times.get(id) ?? createdAt) > order.createdAt,
  );
}

export async function refreshOrder(sim: Simulation, { id }: Pick<Order, 'id'>): Promise<void> {
  sim.app.gateway.answers = [];
  await fulfilOrder(sim.app.ctx, id, { isBuyerHere: true });
  await readPaymentIds(sim);
  applyAnswers(sim.reference, sim.app.gateway.answers);
}
