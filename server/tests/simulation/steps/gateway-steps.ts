import { declined, type GatewayPayment, snapshotOf } from '../fake-gateway.ts';
import type { Random } from '../random.ts';
import type { Simulation } from '../simulation-state.ts';

/** Pays at the provider. The product learns about it by webhook, late, or never. */
export async function pay(sim: Simulation, random: Random): Promise<string | null> {
  const payment = random.pick(sim.app.gateway.payments.filter(({ state }) => state !== 'paid'));
  if (!payment) return null;
  const isWrong = random.chance(0.05);
  if (payment.provider === 'paypal' && payment.state !== 'approved') {
    const onCapture = isWrong ? 'pay_less' : random.chance(0.15) ? 'decline' : 'pay';
    Object.assign(payment, { state: 'approved', problem: null, onCapture });
  } else {
    Object.assign(payment, { state: 'paid', problem: null });
    if (isWrong) payment.amountMinor += 1;
  }
  sendWebhook(sim, random, payment);
  return `${payment.ref}: ${payment.state} ${payment.amountMinor}`;
}

/** A payment fails, though it may still be paid later, or the provider keeps checking it. */
export async function failNextCall(sim: Simulation, random: Random): Promise<string | null> {
  const payment = random.pick(sim.app.gateway.payments.filter(({ state }) => state !== 'paid'));
  if (!payment) return null;
  const isFailed = random.chance(0.6);
  Object.assign(
    payment,
    isFailed
      ? { state: 'failed', problem: declined }
      : { state: 'pending', problem: 'Being checked.', awaitsBuyer: false },
  );
  if (isFailed && random.chance(0.3)) payment.clientSecret = null;
  sendWebhook(sim, random, payment);
  return `${payment.ref}: ${payment.state}`;
}

/** The provider forgets a payment. */
export async function forgetPayment({ app }: Simulation, random: Random): Promise<string | null> {
  const payment = random.pick(
    app.gateway.payments.filter(({ state }) => state === 'pending' || state === 'failed'),
  );
  if (!payment) return null;
  app.gateway.forget(payment);
  return payment.ref;
}

/** Partial and full refunds, even of more than is left, and disputes. */
export async function reverse(sim: Simulation, random: Random): Promise<string | null> {
  const { gateway } = sim.app;
  const payment = random.pick(gateway.payments.filter(({ state }) => state === 'paid'));
  if (!payment) return null;
  const kind = random.chance(0.65) ? ('refund' as const) : ('dispute' as const);
  const amountMinor = random.chance(0.4)
    ? payment.amountMinor
    : 1 + random.below(payment.amountMinor);
  const state = kind === 'refund' && random.chance(0.7) ? ('taken' as const) : ('open' as const);
  payment.reversals.push({ ref: gateway.newRef(kind), kind, state, amountMinor });
  sendWebhook(sim, random, payment);
  return `${kind} of ${amountMinor} of ${payment.ref}, ${state}`;
}

/** A dispute is won or lost; a refund succeeds or fails. */
export async function endReversal(sim: Simulation, random: Random): Promise<string | null> {
  const { payments } = sim.app.gateway;
  const payment = random.pick(
    payments.filter(({ reversals }) => reversals.some(({ state }) => state !== 'returned')),
  );
  const reversal =
    payment && random.pick(payment.reversals.filter(({ state }) => state !== 'returned'));
  if (!payment || !reversal) return null;
  reversal.state = reversal.state === 'open' && random.chance(0.4) ? 'taken' : 'returned';
  sendWebhook(sim, random, payment);
  return `${reversal.ref} of ${payment.ref}: ${reversal.state}`;
}

/** Sends a webhook, which is sometimes lost, and sometimes keeps a snapshot to apply late. */
function sendWebhook(sim: Simulation, random: Random, payment: GatewayPayment): void {
  const { gateway } = sim.app;
  if (random.chance(0.2))
    sim.staleSnapshots.push({
      paymentId: payment.paymentId,
      orderId: payment.orderId ?? '',
      snapshot: snapshotOf(payment),
    });
  if (random.chance(0.1)) return;
  const names = random.chance(0.3)
    ? { orderId: payment.orderId, paymentRef: null }
    : { orderId: null, paymentRef: payment.ref };
  const both = { orderId: payment.orderId, paymentRef: payment.ref };
  const hint = random.chance(0.4) ? both : names;
  sim.events.push({
    provider: payment.provider,
    id: gateway.newRef('event'),
    message: { kind: payment.state, ...hint },
  });
}
