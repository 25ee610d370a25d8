import { afterAll } from 'vitest';
import { type FakePaypal, startFakePaypal } from '../../../fakes/paypal/server.ts';
import { type FakeStripe, startFakeStripe } from '../../../fakes/stripe/server.ts';
import { closeAtEnd } from './closing.ts';
import { expectLedgerChecksToPass } from './ledger-checks.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import type { TestUser } from './users.ts';
import { retryWhileBusy, until } from './waiting.ts';

/** A server with both payment providers as fakes. In the end all ledger checks must pass. */
export interface PaymentServer extends TestServer {
  stripe: FakeStripe;
  paypal: FakePaypal;
  /** Makes an unpaid order of packs by card. */
  orderByCard(
    user: TestUser,
    quantity?: number,
  ): Promise<{ order_id: string; client_secret: string; total_minor: number }>;
  /** Makes an unpaid order of one pack by wallet. */
  orderByWallet(user: TestUser): Promise<{ order_id: string; ref: string }>;
  /** Buys packs by card and waits until all events of it are processed. */
  buyByCard(user: TestUser, quantity?: number): Promise<{ order_id: string; intent: string }>;
  orderStatus(user: TestUser, order_id: string): Promise<string>;
  /** Waits until every event that a provider sent is processed. */
  eventsProcessed(): Promise<void>;
}

/** 500 submissions for 6.00 pounds. */
export const pack = 'pack-500';
export const packCount = 500;
export const packPrice = 600;

/** The wallet checks a payment until the test ends the check itself. */
const slowMilliseconds = 3_600_000;
const quick = { pendingMilliseconds: 50, lateMilliseconds: 200, afterwardsMilliseconds: 50 };
const stripeSecrets = { secretKey: 'sk_test_shop', webhookSecret: 'whsec_shop' };
const paypalSecrets = { clientId: 'shop', clientSecret: 'secret', webhookId: 'hook' };

export async function startPaymentServer(env: Record<string, string> = {}): Promise<PaymentServer> {
  const stripe = await startFakeStripe({ ...stripeSecrets, ...quick });
  const paypal = await startFakePaypal({ ...paypalSecrets, slowMilliseconds });
  closeAtEnd(() => stripe[Symbol.asyncDispose]());
  closeAtEnd(() => paypal[Symbol.asyncDispose]());
  const server = await startTestServer({
    ...stripe.settings,
    ...paypal.settings,
    LOG_LEVEL: 'error',
    ...env,
  });
  afterAll(() => expectLedgerChecksToPass(server));
  stripe.sender.deliverTo(`${server.app.url}/webhooks/stripe`);
  paypal.sender.deliverTo(`${server.app.url}/webhooks/paypal`);
  return { ...server, stripe, paypal, ...paymentMethods(server, { stripe, paypal }) };
}

function paymentMethods(
  server: TestServer,
  { stripe, paypal }: Pick<PaymentServer, 'stripe' | 'paypal'>,
) {
  const { db } = server.app.ctx;
  const methods = {
    orderByCard: async (user: TestUser, quantity = 1) => {
      const plan = [{ id: pack, quantity }];
      return (await retryWhileBusy(() => server.call('stripeCreditIntent', { plan }, user))).body;
    },
    orderByWallet: async (user: TestUser) => {
      const order = { type: 'credits' as const, items: [{ id: pack, quantity: 1 }] };
      const { body } = await retryWhileBusy(() => server.call('createOrder', order, user));
      return {
        order_id: body.order_id,
        ref: new URL(body.approve_url).searchParams.get('token') ?? '',
      };
    },
    buyByCard: async (user: TestUser, quantity = 1) => {
      const { order_id, client_secret } = await methods.orderByCard(user, quantity);
      const intent = stripe.intents.get(client_secret);
      stripe.intents.succeed(intent);
      await server.call('confirmPayment', { order_id }, user);
      await methods.eventsProcessed();
      return { order_id, intent: intent.id };
    },
    orderStatus: async (user: TestUser, order_id: string) =>
      (await server.call('getPaymentStatus', { order_id }, user)).body.payment_status,
    eventsProcessed: () =>
      until(async () => {
        const received = [...stripe.sender.sent, ...paypal.sender.sent].filter(
          ({ status }) => status === 200,
        );
        const processed = await db
          .selectFrom('provider_events')
          .select('event_id')
          .where('processed_at', 'is not', null)
          .execute();
        const done = new Set(processed.map(({ event_id }) => event_id));
        return [...stripe.sender.due, ...paypal.sender.due].every(
          (id) => done.has(id) && received.some((event) => event.id === id),
        );
      }),
  };
  return methods;
}
