import { afterAll, describe, expect, it } from 'vitest';
import { fulfilOrder } from '../../src/domains/billing/payments/fulfil-order.ts';
import { findUserPlan } from '../../src/domains/plans/store.ts';
import { day } from '../../src/lib/clock.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { createUser, signIn, type TestUser } from '../support/users.ts';

const server = await startPaymentServer();
afterAll(server.eventsProcessed);
const { ctx } = server.app;

async function buyMonth(person: TestUser) {
  const signedIn = { ...person, token: await signIn(server, person.email) };
  const { order_id, client_secret } = (
    await server.call('stripeIntent', { plan: { id: 'month' } }, signedIn)
  ).body;
  const intent = server.stripe.intents.get(client_secret);
  server.stripe.intents.succeed(intent);
  await server.eventsProcessed();
  return { order_id, intent: intent.id };
}

/** The days until the current plan of a person ends; null without one. */
async function daysLeft({ id }: TestUser) {
  const now = server.clock.now();
  const plan = await findUserPlan(ctx.db, { userId: id, now });
  return plan?.ends_at ? Math.round((plan.ends_at.getTime() - now.getTime()) / day) : null;
}

const pass = (days: number) => server.clock.advance(days * day);

describe('a plan whose dispute is won', () => {
  it('goes on with the days that were left, also after its end', async () => {
    const person = await createUser(server);
    const { order_id, intent } = await buyMonth(person);
    pass(10);
    for (const lasting of [5, 40]) {
      const dispute = server.stripe.intents.dispute(intent);
      await server.eventsProcessed();
      expect(await daysLeft(person)).toBeNull();
      pass(lasting);
      // What is checked again changes nothing.
      await fulfilOrder(ctx, order_id);
      server.stripe.intents.closeDispute(dispute, 'won');
      await server.eventsProcessed();
      await fulfilOrder(ctx, order_id);
      expect(await daysLeft(person)).toBe(20);
    }
  });

  it('goes on after one that was paid meanwhile', async () => {
    const person = await createUser(server);
    const { intent } = await buyMonth(person);
    pass(10);
    const dispute = server.stripe.intents.dispute(intent);
    await server.eventsProcessed();
    pass(2);
    await buyMonth(person);
    pass(8);
    server.stripe.intents.closeDispute(dispute, 'won');
    await server.eventsProcessed();
    expect(await daysLeft(person)).toBe(22);
    pass(23);
    expect(await daysLeft(person)).toBe(19);
  });

  it.each([
    ['first', [0, 1]],
    ['last', [1, 0]],
  ])(
    'goes on before or after another one whose dispute is won: the running one %s',
    async (_, order) => {
      const person = await createUser(server);
      const intents = [(await buyMonth(person)).intent, (await buyMonth(person)).intent];
      pass(10);
      const disputes = intents.map((intent) => server.stripe.intents.dispute(intent));
      await server.eventsProcessed();
      pass(30);
      for (const place of order) {
        const dispute = disputes[place];
        if (dispute) server.stripe.intents.closeDispute(dispute, 'won');
        await server.eventsProcessed();
      }
      pass(49);
      expect(await daysLeft(person)).toBe(1);
    },
  );

  it('adds nothing to one that follows it, which has run instead', async () => {
    const person = await createUser(server);
    const { intent } = await buyMonth(person);
    await buyMonth(person);
    pass(10);
    const dispute = server.stripe.intents.dispute(intent);
    await server.eventsProcessed();
    expect(await daysLeft(person)).toBe(50);
    pass(5);
    server.stripe.intents.closeDispute(dispute, 'won');
    await server.eventsProcessed();
    expect(await daysLeft(person)).toBe(20);
    pass(21);
    expect(await daysLeft(person)).toBe(24);
  });
});
