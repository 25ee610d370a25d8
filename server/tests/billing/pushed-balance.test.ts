import type { ProgressEvent } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { type PaymentServer, packCount, startPaymentServer } from '../support/payment-server.ts';
import { createUser, type TestUser } from '../support/users.ts';

let server: PaymentServer;
beforeAll(async () => {
  server = await startPaymentServer();
});

describe('the new balance', () => {
  const ways: Record<string, (person: TestUser, order_id: string) => Promise<unknown>> = {
    'the buyer confirms the payment': (person, order_id) =>
      server.call('confirmPayment', { order_id }, person),
    'its webhook arrives': () => server.eventsProcessed(),
    'the reconciler finds it': () => reconcileOrders(server.app.ctx),
  };

  it.each(Object.entries(ways))('is pushed to an open page when %s', async (way, credit) => {
    const person = await createUser(server);
    const { order_id, client_secret } = await server.orderByCard(person);
    const pushed = pushedTo(person);
    expect((await pushed.next()).value).toMatchObject({ creditsAvailable: 0 });
    server.stripe.sender.isMute = way !== 'its webhook arrives';
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    server.stripe.sender.isMute = false;
    await credit(person, order_id);
    const balance = { kind: 'credits', user_id: person.id, creditsAvailable: packCount };
    expect((await pushed.next()).value).toEqual(balance);
    await pushed.return();
  });

  /** The events of a user's stream. */
  async function* pushedTo(person: TestUser): AsyncGenerator<ProgressEvent, void> {
    const { body } = await server.download('events', {}, person);
    let text = '';
    for await (const part of (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      new TextDecoderStream(),
    )) {
      const events = (text + part).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events)
        if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length));
    }
  }
});
