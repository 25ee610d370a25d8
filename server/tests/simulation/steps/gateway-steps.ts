import type { Chance } from '../chance.ts';
import { copyOf, declined, type GatewayPayment } from '../fake-gateway.ts';
import type { Scene } from '../scene.ts';

/** What happens at the providers. The product hears of it by an event, late, or not at all. */
export async function pay(scene: Scene, chance: Chance): Promise<string | null> {
  const payment = chance.pick(scene.app.gateway.payments.filter(({ state }) => state !== 'paid'));
  if (!payment) return null;
  const isWrong = chance.is(0.05);
  if (payment.provider === 'paypal' && payment.state !== 'approved') {
    const onCapture = isWrong ? 'pay_less' : chance.is(0.15) ? 'decline' : 'pay';
    Object.assign(payment, { state: 'approved', problem: null, onCapture });
  } else {
    Object.assign(payment, { state: 'paid', problem: null });
    if (isWrong) payment.amountMinor += 1;
  }
  tell(scene, chance, payment);
  return `${payment.ref}: ${payment.state} ${payment.amountMinor}`;
}

/** It fails, and may be paid all the same later; or the provider takes its time. */
export async function failNextCall(scene: Scene, chance: Chance): Promise<string | null> {
  const payment = chance.pick(scene.app.gateway.payments.filter(({ state }) => state !== 'paid'));
  if (!payment) return null;
  const isFailed = chance.is(0.6);
  Object.assign(
    payment,
    isFailed
      ? { state: 'failed', problem: declined }
      : { state: 'pending', problem: 'Being checked.' },
  );
  if (isFailed && chance.is(0.3)) payment.clientSecret = null;
  tell(scene, chance, payment);
  return `${payment.ref}: ${payment.state}`;
}

/** The provider knows it no more. */
export async function lapse({ app }: Scene, chance: Chance): Promise<string | null> {
  const payment = chance.pick(
    app.gateway.payments.filter(({ state }) => state === 'pending' || state === 'failed'),
  );
  if (!payment) return null;
  app.gateway.forget(payment);
  return payment.ref;
}

/** Refunds in parts and in whole, also of more than is left; disputes; and what fails at the bank. */
export async function reverse(scene: Scene, chance: Chance): Promise<string | null> {
  const { gateway } = scene.app;
  const payment = chance.pick(gateway.payments.filter(({ state }) => state === 'paid'));
  if (!payment) return null;
  const kind = chance.is(0.65) ? ('refund' as const) : ('dispute' as const);
  const amountMinor = chance.is(0.4) ? payment.amountMinor : 1 + chance.below(payment.amountMinor);
  const state = kind === 'refund' && chance.is(0.7) ? ('taken' as const) : ('open' as const);
  payment.reversals.push({ ref: gateway.newRef(kind), kind, state, amountMinor });
  tell(scene, chance, payment);
  return `${kind} of ${amountMinor} of ${payment.ref}, ${state}`;
}

/** A dispute is won or lost; a refund arrives, or fails. */
export async function endReversal(scene: Scene, chance: Chance): Promise<string | null> {
  const { payments } = scene.app.gateway;
  const payment = chance.pick(
    payments.filter(({ reversals }) => reversals.some(({ state }) => state !== 'returned')),
  );
  const reversal =
    payment && chance.pick(payment.reversals.filter(({ state }) => state !== 'returned'));
  if (!payment || !reversal) return null;
  reversal.state = reversal.state === 'open' && chance.is(0.4) ? 'taken' : 'returned';
  tell(scene, chance, payment);
  return `${reversal.ref} of ${payment.ref}: ${reversal.state}`;
}

/** Now and then an event is lost, and what is seen at this moment is held back by somebody slow. */
export function tell(scene: Scene, chance: Chance, payment: GatewayPayment): void {
  const { gateway } = scene.app;
  if (chance.is(0.2))
    scene.oldNews.push({
      paymentId: payment.paymentId,
      orderId: payment.orderId ?? '',
      snapshot: copyOf(payment),
    });
  if (chance.is(0.1)) return;
  const names = chance.is(0.3)
    ? { orderId: payment.orderId, paymentRef: null }
    : { orderId: null, paymentRef: payment.ref };
  const both = { orderId: payment.orderId, paymentRef: payment.ref };
  const hint = chance.is(0.4) ? both : names;
  scene.events.push({
    provider: payment.provider,
    id: gateway.newRef('event'),
    message: { kind: payment.state, ...hint },
  });
}
