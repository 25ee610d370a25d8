import type { ProgressEvent } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../src/domains/billing/reconcile-orders.ts';
import { type Person, signedIn } from '../support/people.ts';
import { packCount, type Shop, startShop } from '../support/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});

describe('the new balance', () => {
  const waysIn: Record<string, (person: Person, order_id: string) => Promise<unknown>> = {
    'the person confirms': (person, order_id) => shop.call('confirmPayment', { order_id }, person),
    'the provider tells of it': () => shop.quiet(),
    'the reconciler finds it': () => reconcileOrders(shop.app.ctx),
  };

  it.each(Object.entries(waysIn))(
    'is pushed to an open page that asks for nothing when %s',
    async (way, credit) => {
      const person = await signedIn(shop);
      const { order_id, client_secret } = await shop.cardOrder(person);
      const pushed = pushedTo(person);
      expect((await pushed.next()).value).toMatchObject({ creditsAvailable: 0 });
      shop.stripe.sender.isMute = way !== 'the provider tells of it';
      shop.stripe.intents.succeed(shop.stripe.intents.get(client_secret));
      shop.stripe.sender.isMute = false;
      await credit(person, order_id);
      const balance = { kind: 'credits', user_id: person.id, creditsAvailable: packCount };
      expect((await pushed.next()).value).toEqual(balance);
      await pushed.return();
    },
  );

  /** What the stream of a person's page says, one event after the other. */
  async function* pushedTo(person: Person): AsyncGenerator<ProgressEvent, void> {
    const { body } = await shop.download('events', {}, person);
    let text = '';
    for await (const part of (body as ReadableStream<BufferSource>).pipeThrough(
      new TextDecoderStream(),
    )) {
      const events = (text + part).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events)
        if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length));
    }
  }
});
