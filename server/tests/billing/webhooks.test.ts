import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fulfilOrder } from '../../src/domains/billing/payments/fulfil-order.ts';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { packCount, startPaymentServer } from '../support/payment-server.ts';
import { createUser } from '../support/users.ts';
import { retryWhileBusy, until } from '../support/waiting.ts';

const server = await startPaymentServer();

const post = (path: string, body: string, headers: Record<string, string>) =>
  fetch(server.app.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

const storedEvents = async () =>
  (await server.app.ctx.db.selectFrom('provider_events').select('event_id').execute()).map(
    ({ event_id }) => event_id,
  );

const openEvents = () =>
  server.app.ctx.db
    .selectFrom('provider_events')
    .select('event_id')
    .where('processed_at', 'is', null)
    .execute();

describe('a webhook', () => {
  it('that arrives a hundred times during confirmations and reconciling credits once', async () => {
    const person = await createUser(server);
    server.stripe.sender.isMute = true;
    const { order_id, client_secret } = await server.orderByCard(person);
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    server.stripe.sender.isMute = false;
    const event = server.stripe.events.at(-1);
    if (!event) throw new Error('the payment sent no webhook');
    const deliver = async () =>
      (
        await retryWhileBusy(() =>
          post('/webhooks/stripe', event.body, event.headersFor(event.body)),
        )
      ).status;
    const statuses: number[] = [];
    const confirming = Array.from({ length: 20 }, () =>
      server.call('confirmPayment', { order_id }, person),
    );
    for (let round = 0; round < 5; round++)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, deliver))));
    await Promise.all([...confirming, reconcileOrders(server.app.ctx)]);
    await until(
      async () =>
        (
          await server.app.ctx.db
            .selectFrom('provider_events')
            .select('processed_at')
            .where('event_id', '=', event.id)
            .execute()
        )[0]?.processed_at != null,
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await server.balance(person)).toBe(packCount);
    const entries = await server.app.ctx.db
      .selectFrom('credit_entries')
      .selectAll()
      .where('cause', '=', `order:${order_id}`)
      .execute();
    expect(entries).toHaveLength(1);
  });

  it('without a valid signature is refused and leaves nothing behind', async () => {
    const body = JSON.stringify({
      id: 'evt_forged',
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: {} },
    });
    const now = Math.floor(Date.now() / 1000);
    const good = server.stripe.sign(body);
    const forgeries: [string, Record<string, string>][] = [
      [body, {}],
      [body, { 'stripe-signature': 'v1=nothing' }],
      [body, { 'stripe-signature': server.stripe.sign(body, now, 'whsec_other') }],
      [body, { 'stripe-signature': server.stripe.sign(body, now - 301) }],
      [JSON.stringify(JSON.parse(body), null, 1), { 'stripe-signature': good }],
      ['', { 'stripe-signature': good }],
    ];
    for (const [text, headers] of forgeries)
      expect((await post('/webhooks/stripe', text, headers)).status).toBe(400);
    expect(await storedEvents()).not.toContain('evt_forged');
    expect((await post('/webhooks/stripe', body, { 'stripe-signature': good })).status).toBe(200);
  });

  it('of the wallet is verified by its certificate, byte by byte', async () => {
    const person = await createUser(server);
    const { ref } = await server.orderByWallet(person);
    server.paypal.sender.isMute = true;
    server.paypal.orders.approve(ref);
    server.paypal.sender.isMute = false;
    const event = server.paypal.events.at(-1);
    if (!event) throw new Error('the approval sent no webhook');
    const headers = event.headersFor(event.body);
    for (const name of Object.keys(headers)) {
      expect((await post('/webhooks/paypal', event.body, { ...headers, [name]: '' })).status).toBe(
        400,
      );
    }
    expect((await post('/webhooks/paypal', `${event.body} `, headers)).status).toBe(400);
    expect((await post('/webhooks/paypal', event.body, headers)).status).toBe(200);
    await until(async () => (await server.balance(person)) === packCount);
  });

  it('that names a foreign certificate is refused without a call to it', async () => {
    let calls = 0;
    const elsewhere = createServer((_request, response) => {
      calls++;
      response
        .writeHead(302, { location: `${server.paypal.url}/v1/notifications/certs/CERT-fake` })
        .end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const { port } = elsewhere.address() as { port: number };
    const event = server.paypal.events.at(-1);
    if (!event) throw new Error('the wallet sent no webhook');
    const headers = event.headersFor(event.body);
    for (const address of [
      `http://127.0.0.1:${port}/cert`,
      'https://evil.test/x',
      'https://paypal.com.evil.test/x',
      'https://api.paypal.com@evil.test/x',
      'http://api.paypal.com/v1/notifications/certs/x',
      'file:///etc/hostname',
      'nothing',
      `${server.paypal.url}/v1/notifications/certs/CERT-moved`,
    ]) {
      const answer = await post('/webhooks/paypal', event.body, {
        ...headers,
        'paypal-cert-url': address,
      });
      expect(answer.status).toBe(400);
    }
    expect(calls).toBe(0);
    elsewhere.close();
  });

  it('about an unknown payment is accepted and ignored', async () => {
    const body = JSON.stringify({
      id: 'evt_foreign',
      object: 'event',
      type: 'payment_intent.succeeded',
      data: {
        object: { id: 'pi_foreign', object: 'payment_intent', metadata: { order_id: 'foreign' } },
      },
    });
    expect(
      (await post('/webhooks/stripe', body, { 'stripe-signature': server.stripe.sign(body) }))
        .status,
    ).toBe(200);
    expect(await storedEvents()).toContain('evt_foreign');
  });

  it('of the card provider does not name the payment of a wallet order', async () => {
    const person = await createUser(server);
    const { order_id, ref } = await server.orderByWallet(person);
    // As when the answer to the opening was lost.
    await server.app.ctx.db
      .updateTable('payments')
      .set({ provider_ref: null })
      .where('order_id', '=', order_id)
      .execute();
    const object = { object: 'payment_intent', id: 'pi_other', metadata: { order_id } };
    expect((await signed({ id: 'evt_wallet_order', data: { object } })).status).toBe(200);
    await server.eventsProcessed();
    await until(async () => (await openEvents()).length === 0);
    expect(await server.orderStatus(person, order_id)).toBe('pending');
    server.paypal.orders.approve(ref);
    await until(async () => (await server.balance(person)) === packCount);
  });

  const signed = (event: object) => {
    const body = JSON.stringify({ object: 'event', type: 'x', data: { object: {} }, ...event });
    return post('/webhooks/stripe', body, { 'stripe-signature': server.stripe.sign(body) });
  };

  it('with an id or a kind that cannot be stored is refused, and other such texts are ignored', async () => {
    for (const wrong of ['a\u0000b', '', 'x'.repeat(300), null, 7, {}])
      for (const event of [{ id: wrong }, { id: 'evt_odd', type: wrong }])
        expect((await signed(event)).status).toBe(400);
    for (const [index, wrong] of ['a\u0000b', 'a\ud800', 'x'.repeat(100_000)].entries()) {
      const object = { object: 'payment_intent', id: wrong, metadata: { order_id: wrong } };
      expect((await signed({ id: `evt_wrong_${index}`, data: { object } })).status).toBe(200);
    }
    expect(await storedEvents()).not.toContain('evt_odd');
  });

  it('takes at most half of the connections to the database with others like it', async () => {
    // Their jobs would wait for the lock too.
    await server.eventsProcessed();
    const owner = new pg.Client({ connectionString: server.settings.DATABASE_OWNER_URL });
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query('begin; lock table provider_events in exclusive mode');
    let answered = 0;
    const events = Array.from({ length: 20 }, async (_, index) => {
      await signed({ id: `evt_held_${index}` });
      answered++;
    });
    let most = 0;
    await until(async () => {
      const { rows } = await owner.query(
        `select count(*)::int from pg_locks where relation = 'provider_events'::regclass and not granted`,
      );
      most = Math.max(most, rows[0].count);
      return answered === events.length;
    });
    expect(most).toBe(5);
  });

  it('is answered while the provider does not respond, because a job does the rest', async () => {
    const person = await createUser(server);
    const { client_secret } = await server.orderByCard(person);
    await server.eventsProcessed();
    const letGo = server.stripe.holdAnswers();
    server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    const own = server.stripe.events.at(-1)?.id;
    await until(() =>
      server.stripe.sender.sent.some(({ id, status }) => id === own && status === 200),
    );
    for (let index = 0; index < 50; index++) {
      const body = JSON.stringify({
        id: `evt_quick_${index}`,
        object: 'event',
        type: 'x',
        data: { object: { payment_intent: 'pi_x' } },
      });
      expect(
        (await post('/webhooks/stripe', body, { 'stripe-signature': server.stripe.sign(body) }))
          .status,
      ).toBe(200);
    }
    expect(await server.balance(person)).toBe(0);
    letGo();
    await until(async () => (await server.balance(person)) === packCount);
  });
});

describe('the ledger', () => {
  it('passes all checks afterwards, and reconciling again changes nothing', async () => {
    await server.eventsProcessed();
    const { db } = server.app.ctx;
    const ledger = async () =>
      createHash('sha256')
        .update(
          JSON.stringify(await db.selectFrom('credit_entries').selectAll().orderBy('id').execute()),
        )
        .digest('hex');
    const before = await ledger();
    for (const { id } of await db.selectFrom('orders').select('id').limit(20).execute())
      await fulfilOrder(server.app.ctx, id);
    expect(await ledger()).toBe(before);
  });
});
