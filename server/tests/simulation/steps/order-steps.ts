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
import type { Chance } from '../chance.ts';
import { Difference, hold, outcomeOf } from '../expect.ts';
import { messageOf } from '../fake-gateway.ts';
import type { Order, Payment } from '../reference.ts';
import { decide, giveUp, hear, settle } from '../reference-orders.ts';
import type { Scene } from '../scene.ts';

const day = 86_400_000;
const crashChance = 0.08;
const outsideCalls = 7;

/** A call in which the product asks providers. It may die in its midst; whatever it has heard before is in its reference. */
async function hearing(
  scene: Scene,
  chance: Chance,
  call: () => Promise<unknown>,
): Promise<string> {
  const { gateway, faults } = scene.app;
  gateway.said = [];
  if (chance.is(crashChance)) faults.arm(chance.below(outsideCalls));
  const { outcome } = await outcomeOf(call());
  faults.disarm();
  await learnNames(scene);
  hear(scene.reference, gateway.said);
  return outcome;
}

function mustBe(outcome: string, expected: string): string {
  if (outcome !== expected && outcome !== 'crash')
    throw new Difference(`answered ${outcome} instead of ${expected}`);
  return outcome;
}

/** How the product and the provider call the attempts is learnt from the product; what becomes of them is not. */
async function learnNames({ app, reference }: Scene): Promise<void> {
  const rows = await app.ctx.db
    .selectFrom('payments')
    .select(['id', 'order_id', 'attempt', 'provider_ref'])
    .orderBy('id')
    .execute();
  for (const { id, order_id, attempt, provider_ref: ref } of rows) {
    const order = reference.orders.find((known) => known.id === order_id);
    if (!order) throw new Difference(`there is an order ${order_id} that nobody has made`);
    const payment = order.payments.find((known) => known.id === id);
    if (payment) payment.ref = ref;
    else {
      const openedAt = app.clock.now().getTime();
      order.payments.push({
        ...{ id, attempt, openedAt, ref, status: 'pending', isPaid: false, isRefused: false },
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

/** Somebody orders: packs or a plan, by card or wallet, with a key that he has used before or without one. */
export async function order(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, reference } = scene;
  const owner = chance.pick(reference.people);
  const acting = owner && chance.pick(owner.actings);
  const pack = chance.pick(packs);
  if (!owner || !acting || !pack) return null;
  const method: PaymentMethod = chance.is(0.5) ? 'card' : 'wallet';
  const isPlan = chance.is(0.2);
  const quantity = 1 + chance.below(3);
  const key = chance.is(0.3) ? `${method}-${isPlan ? 'plan' : 'packs'}-${chance.below(4)}` : null;
  const known = await idsOf(scene);
  const ctx = key ? { ...app.ctx, idempotencyKey: key } : app.ctx;
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
    (one) => key !== null && one.owner === owner && one.key === key,
  );
  const isOver = isClosedAtGateway(scene, earlier);
  const expected = { outcome: isOver ? 'not_now' : 'ok' };
  const outcome = await hold<unknown>(app, chance, { expected, call: calls[method] });
  const made = (await idsOf(scene)).filter((id) => !known.includes(id));
  const isAgain = earlier !== undefined;
  if (made.length > 1 || (isAgain && made.length > 0))
    throw new Difference(`${made.length} orders were made`);
  if (outcome === 'ok' && !isAgain && made.length === 0) throw new Difference('no order was made');
  const worth = isPlan
    ? plan
    : { submissions: quantity * pack.submissions, minor: quantity * pack.minor };
  for (const id of made)
    reference.orders.push({
      ...{
        id,
        owner,
        method,
        key,
        planId: isPlan ? plan.id : null,
        submissions: worth.submissions,
        totalMinor: worth.minor,
      },
      ...{
        label: `order ${reference.orders.length + 1}`,
        createdAt: app.clock.now().getTime(),
        payments: [],
      },
      ...{ status: 'pending', isPaid: false, takenBack: 0, refundedMinor: 0 },
    });
  await learnNames(scene);
  return `${method}, ${worth.submissions} for ${worth.minor}${key ? `, ${key}` : ''}: ${outcome}`;
}

/** By our name for the attempt: after a crash the product does not know the provider's. */
function isClosedAtGateway({ app }: Scene, order: Order | undefined): boolean {
  const attempt = app.gateway.payments.find(
    ({ paymentId }) => paymentId === order?.payments.at(-1)?.id,
  );
  return (
    attempt !== undefined &&
    (attempt.provider === 'stripe' ? attempt.clientSecret : attempt.approveUrl) === null
  );
}

async function idsOf({ app }: Scene): Promise<string[]> {
  return (await app.ctx.db.selectFrom('orders').select('id').execute()).map(({ id }) => id);
}

export async function confirm(scene: Scene, chance: Chance): Promise<string | null> {
  const one = chance.pick(scene.reference.orders);
  const acting = one && chance.pick(one.owner.actings);
  if (!one || !acting) return null;
  const call = () => confirmOrder(scene.app.ctx, acting, { order_id: one.id });
  // Of a paid order nobody is asked.
  return `${one.label} (${one.status}): ${mustBe(await hearing(scene, chance, call), 'ok')}`;
}

/** An event arrives: in any order, again, or forged. */
export async function deliver(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, events } = scene;
  const event = chance.pick(events);
  if (!event) return null;
  const { provider, id, message } = event;
  const isForged = chance.is(0.05);
  const isKnown = scene.delivered.has(id);
  const before = app.eventJobs.length;
  const call = () =>
    receiveEvent(
      app.ctx,
      app.gateway.provider(provider),
      messageOf({ id, ...message }, isForged ? 'broken' : 'genuine'),
    );
  const change = (isReceived: boolean) => {
    if (isReceived === isForged) throw new Difference(`an event is received: ${isReceived}`);
    const jobs = app.eventJobs.length - before;
    if (jobs !== (isForged || isKnown ? 0 : 1)) throw new Difference(`an event makes ${jobs} jobs`);
    if (!isForged) scene.delivered.add(id);
  };
  const outcome = await hold(app, chance, { expected: { outcome: 'ok', change }, call });
  if (outcome === 'ok' && !isForged && chance.is(0.7)) events.splice(events.indexOf(event), 1);
  return `${id}${isForged ? ', forged' : ''}${isKnown ? ', again' : ''}: ${outcome}`;
}

/** A job takes an event up; one that has died is taken up again. */
export async function processOne(scene: Scene, chance: Chance): Promise<string | null> {
  const { eventJobs, ctx } = scene.app;
  const job = chance.pick(eventJobs);
  if (!job) return null;
  const outcome = mustBe(await hearing(scene, chance, () => processEvent(ctx, job)), 'ok');
  if (outcome === 'ok' && !chance.is(0.1)) eventJobs.splice(eventJobs.indexOf(job), 1);
  return `${job.eventId}: ${outcome}`;
}

/** Somebody who has asked the provider long ago settles what he has heard only now. */
export async function settleLate(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, reference, oldNews } = scene;
  const news = chance.pick(oldNews);
  const one = reference.orders.find(({ id }) => id === news?.orderId);
  const payment = one?.payments.find(
    ({ id, ref }) => id === news?.paymentId && ref === news.snapshot.ref,
  );
  if (!news || !one || !payment) return null;
  const { snapshot } = news;
  const settling = { orderId: one.id, paymentId: payment.id, snapshot };
  const call = () => inTransaction(app.ctx, (inside) => applyPaymentSnapshot(inside, settling));
  const change = () => settle(reference, { order: one, payment, snapshot });
  return `${one.label}, ${snapshot.state}: ${await hold(app, chance, { expected: { outcome: 'ok', change }, call })}`;
}

/** Every now and then a day has passed. */
export async function reconcile(scene: Scene, chance: Chance): Promise<string> {
  const { app, reference } = scene;
  if (chance.is(0.15)) app.clock.advance(day);
  giveUp(reference, app.clock.now().getTime() - day);
  return mustBe(await hearing(scene, chance, () => reconcileOrders(app.ctx)), 'ok');
}

/** An operator accepts a payment that does not fit, or turns it down. */
export async function decideOne(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, reference, operator } = scene;
  const one = chance.pick(reference.orders.filter(({ payments }) => payments.some(isToDecide)));
  const payment = one?.payments.find(isToDecide);
  const snapshot = app.gateway.get(payment?.ref ?? '');
  if (!one || !payment || !snapshot) return null;
  const isAccepted = chance.is(0.5);
  const expected =
    isAccepted && one.isPaid
      ? { outcome: 'not_now' }
      : {
          outcome: 'ok',
          change: () => decide(reference, { order: one, payment, snapshot }, isAccepted),
        };
  const decision = isAccepted ? ('accept' as const) : ('refuse' as const);
  const call = () =>
    decideReview(app.ctx, operator, { payment_id: payment.id, decision, reason: 'Looked at.' });
  return `${one.label} (${one.status}), ${decision}: ${await hold<unknown>(app, chance, { expected, call })}`;
}

const isToDecide = ({ status, isRefused }: Payment) => status === 'review' && !isRefused;

/** A person goes on with an order that he has not paid. */
export async function resume(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, reference } = scene;
  const one = chance.pick(reference.orders);
  const acting = one && chance.pick(one.owner.actings);
  if (!one || !acting) return null;
  // What it hears by itself is so already: after a crash it need not be known how far it came.
  await lookAt(scene, one);
  await lookAt(scene, one);
  const isOpen = one.status === 'pending' || one.status === 'failed';
  const expected = isOpen && app.clock.now().getTime() - one.createdAt < 7 * day ? 'ok' : 'not_now';
  const outcome = await hearing(scene, chance, () =>
    resumePayment(app.ctx, acting, { order_id: one.id }),
  );
  return `${one.label} (${one.status}), ${one.payments.length} attempts: ${mustBe(outcome, expected)}`;
}

export async function lookAt(scene: Scene, { id }: Pick<Order, 'id'>): Promise<void> {
  scene.app.gateway.said = [];
  await fulfilOrder(scene.app.ctx, id);
  await learnNames(scene);
  hear(scene.reference, scene.app.gateway.said);
}
