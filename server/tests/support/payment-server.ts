import { afterAll } from 'vitest';
import { type FakePaypal, startFakePaypal } from '../../../fakes/paypal/server.ts';
import { type FakeStripe, startFakeStripe } from '../../../fakes/stripe/server.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import type { TestUser } from './users.ts';

/** A server that takes money, with both providers as servers beside it. */
export interface PaymentServer extends TestServer {
  stripe: FakeStripe;
  paypal: FakePaypal;
  balance(person: TestUser): Promise<number>;
  /** An order of packs by card, not paid yet. */
  cardOrder(
    person: TestUser,
    quantity?: number,
  ): Promise<{ order_id: string; client_secret: string; total_minor: number }>;
  walletOrder(person: TestUser): Promise<{ order_id: string; ref: string }>;
  /** Bought by card, paid and confirmed, and everything that was told of it is processed. */
  bought(person: TestUser, quantity?: number): Promise<{ order_id: string; intent: string }>;
  status(person: TestUser, order_id: string): Promise<string>;
  /** Until every event that was sent is processed. */
  quiet(): Promise<void>;
  brokenBooks(): Promise<unknown[]>;
}

/** 500 submissions for 6.00 pounds. */
export const pack = 'pack-500';
export const packCount = 500;
export const packPrice = 600;

/** What the wallet checks, a test ends by itself, when it has seen what it wants to see before. */
const slowMilliseconds = 3_600_000;
const quick = { pendingMilliseconds: 50, lateMilliseconds: 200, afterwardsMilliseconds: 50 };
const stripeSecrets = { secretKey: 'sk_test_shop', webhookSecret: 'whsec_shop' };
const paypalSecrets = { clientId: 'server', clientSecret: 'secret', webhookId: 'hook' };

export async function startPaymentServer(env: Record<string, string> = {}): Promise<PaymentServer> {
  const stripe = await startFakeStripe({ ...stripeSecrets, ...quick });
  const paypal = await startFakePaypal({ ...paypalSecrets, slowMilliseconds });
  const server = await startTestServer({
    STRIPE_SECRET_KEY: stripeSecrets.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_shop',
    STRIPE_WEBHOOK_SECRET: stripeSecrets.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    PAYPAL_CLIENT_ID: paypalSecrets.clientId,
    PAYPAL_CLIENT_SECRET: paypalSecrets.clientSecret,
    PAYPAL_WEBHOOK_ID: paypalSecrets.webhookId,
    PAYPAL_API_BASE: paypal.url,
    LOG_LEVEL: 'error',
    ...env,
  });
  stripe.sender.deliverTo(`${server.app.url}/webhooks/stripe`);
  paypal.sender.deliverTo(`${server.app.url}/webhooks/paypal`);
  afterAll(async () => {
    await stripe[Symbol.asyncDispose]();
    await paypal[Symbol.asyncDispose]();
  });
  return { ...server, stripe, paypal, ...handsOf(server, { stripe, paypal }) };
}

function handsOf(server: TestServer, { stripe, paypal }: Pick<PaymentServer, 'stripe' | 'paypal'>) {
  const { db } = server.app.ctx;
  const hands = {
    balance: async (person: TestUser) =>
      (await server.call('getAvailableCredits', {}, person)).body.creditsAvailable,
    cardOrder: async (person: TestUser, quantity = 1) =>
      (await server.call('stripeCreditIntent', { plan: [{ id: pack, quantity }] }, person)).body,
    walletOrder: async (person: TestUser) => {
      const { body } = await server.call(
        'createOrder',
        { type: 'credits', items: [{ id: pack, quantity: 1 }] },
        person,
      );
      return {
        order_id: body.order_id,
        ref: new URL(body.approve_url).searchParams.get('token') ?? '',
      };
    },
    bought: async (person: TestUser, quantity = 1) => {
      const { order_id, client_secret } = await hands.cardOrder(person, quantity);
      const intent = stripe.intents.get(client_secret);
      stripe.intents.succeed(intent);
      await server.call('confirmPayment', { order_id }, person);
      await hands.quiet();
      return { order_id, intent: intent.id };
    },
    status: async (person: TestUser, order_id: string) =>
      (await server.call('getPaymentStatus', { order_id }, person)).body.payment_status,
    quiet: async () => {
      for (;;) {
        const told = new Set(
          [...stripe.sender.sent, ...paypal.sender.sent]
            .filter(({ status }) => status === 200)
            .map(({ id }) => id),
        );
        const rows = await db
          .selectFrom('provider_events')
          .select(['event_id', 'processed_at'])
          .execute();
        const done = new Set(
          rows.filter(({ processed_at }) => processed_at).map(({ event_id }) => event_id),
        );
        const all = [...stripe.sender.due, ...paypal.sender.due];
        if (all.every((id) => told.has(id) && done.has(id))) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    brokenBooks: () => findBrokenInvariants(db),
  };
  return hands;
}
