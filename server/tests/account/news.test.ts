import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { actingForHeader, type ProgressEvent, roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { OutboxMail } from '../../src/adapters/outbox-mail.ts';
import {
  isWorthEmail,
  notifyOfBatch,
  sendBatchEmail,
  sendDigest,
  sendDueEmails,
} from '../../src/domains/batches/emails.ts';
import { findBatchById } from '../../src/domains/batches/store/batches.ts';
import { reconcileOrders } from '../../src/domains/billing/payments/reconcile-orders.ts';
import { moveCredits } from '../../src/domains/credits/ledger.ts';
import { deletePerson } from '../../src/domains/identity/accounts/profile.ts';
import { notify } from '../../src/domains/notifications/bell.ts';
import { after, hour } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { packCount, startPaymentServer } from '../support/payment-server.ts';
import { createUser, type TestUser } from '../support/users.ts';

const server = await startPaymentServer({ CHAT_BASE_URL: 'demo' });

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
    const balance = { kind: 'credits', user_id: person.id, creditsAvailable: packCount, debt: 0 };
    expect((await pushed.next()).value).toEqual(balance);
    await pushed.return();
  });

  it('is pushed when an admin changes the limits, for what a page says of them', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const client = await createUser(server, { adminId: admin.id, submissions: 3 });
    const pushed = pushedTo(client);
    const { value: first } = await pushed.next();
    const limits = { user_id: client.id, monthly_limit: 1 };
    expect((await server.call('setClientLimits', limits, admin)).status).toBe(200);
    expect((await pushed.next()).value).toEqual(first);
    await pushed.return();
  });

  it('is pushed when a refund leaves only a debt', async () => {
    const person = await createUser(server);
    const { intent } = await server.buyByCard(person);
    const used = { from: 'available', to: 'spent', amount: packCount, cause: 'test' } as const;
    await moveCredits(server.app.ctx, { ...used, userId: person.id });
    const pushed = pushedTo(person);
    const { value: first } = await pushed.next();
    expect(first).toMatchObject({ creditsAvailable: 0, debt: 0 });
    server.stripe.intents.refund(intent);
    let { value: balance } = await pushed.next();
    // The news of the use may follow the first balance.
    if (isDeepStrictEqual(balance, first)) ({ value: balance } = await pushed.next());
    expect(balance).toMatchObject({ creditsAvailable: 0, debt: packCount });
    await pushed.return();
  });

  /** The balances in a user's stream. */
  async function* pushedTo(person: TestUser): AsyncGenerator<ProgressEvent, void> {
    const { body } = await server.download('events', {}, person);
    let text = '';
    for await (const part of (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      new TextDecoderStream(),
    )) {
      const events = (text + part).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events)
        if (event.startsWith('data: {"kind":"credits"'))
          yield JSON.parse(event.slice('data: '.length));
    }
  }
});

it('is pushed to an admin who acts for a client, whose bell stays their own, and when it is read', async () => {
  const admin = await createUser(server, { roleId: roles.admin });
  const client = await createUser(server, { adminId: admin.id });
  const acting = { token: admin.token, headers: { [actingForHeader]: client.id } };
  const { body } = await server.download('events', {}, acting);
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  while (!text.includes('"kind":"role"')) text += (await reader.read()).value;
  const news = { kind: 'payment', text: 'Payment received.', path: '/orders' } as const;
  await notify(server.app.ctx, { userId: admin.id, ...news });
  while (!text.includes('"kind":"news"')) text += (await reader.read()).value;
  text = '';
  await server.call('readNotifications', {}, admin);
  while (!text.includes('"kind":"news"')) text += (await reader.read()).value;
  await reader.cancel();
});

describe('news of a batch', () => {
  it('are pushed with balance and progress while it runs', async () => {
    const client = await BatchClient.create(server, 10);
    const response = await server.download('events', {}, client.user);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    await client.start(['push']);
    let text = '';
    const awaited = ['"kind":"credits"', '"kind":"news"', '"state":"completed"'];
    while (!awaited.every((part) => text.includes(part))) text += (await reader.read()).value;
    expect(text).toMatch(/"kind":"batch".*"state":"completed"/);
    await reader.cancel();
  });

  it('are in the bell of its owner, who gets one email about many, and none about a watched or short one', async () => {
    const { ctx } = server.app;
    const reader = await BatchClient.create(server, 4);
    const person = reader.user;
    const { id: first } = await reader.start(['one']);
    const { id: second } = await reader.start(['two']);
    const { id: resumed } = await reader.start(['three']);
    for (const id of [first, second, resumed]) await reader.whenEnded(id);
    await server.call('renameBatch', { id: second, name: '<b>.csv' }, person);
    const about = (name: string, batchId = first) => ({
      userId: person.id,
      batchId,
      kind: 'batch_completed' as const,
      text: `${name} is done.`,
      path: '/history',
    });
    for (let index = 0; index < 200; index++) {
      const batchId = index % 2 ? first : second;
      await notify(ctx, { ...about(`${index}.csv`, batchId), wantsEmail: true });
    }
    const paused = { ...about('resumed.csv', resumed), kind: 'batch_paused' as const };
    await notify(ctx, { ...paused, wantsEmail: true });
    await notify(ctx, about('short.csv'));
    const bell = (await server.call('getNotifications', {}, person)).body;
    expect(bell.notifications).toHaveLength(50);
    expect(bell.notifications[0]?.text).toBe('short.csv is done.');
    const sent = async () => {
      const rows = await ctx.db
        .selectFrom('notifications')
        .select('emailed_at')
        .where('user_id', '=', person.id)
        .where('emailed_at', 'is not', null)
        .execute();
      return new Set(rows.map(({ emailed_at }) => emailed_at?.getTime())).size;
    };
    for (let minutes = 0; minutes < 30; minutes++) {
      server.clock.advance(60_000);
      await sendDueEmails(ctx);
    }
    const { html, text } = await server.emailTo(person.email, 'News about 2 batches');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain('>See your batches</a>');
    expect(html).toContain('&lt;b&gt;.csv is done: 1 answered.');
    for (const part of [html, text])
      expect(part).toMatch(/Hello Pat,(<\/p>\s*<p[^>]*>|\s+)There is/);
    expect(await sent()).toBe(1);
    const old = { batchId: resumed, kind: 'batch_paused' as const };
    await sendDigest(ctx, { userId: person.id, batches: [old] });
    const current = { batchId: first, kind: 'batch_completed' as const };
    await sendDigest(ctx, { userId: person.id, batches: [old, current, current] });
    const outbox = new OutboxMail(join(ctx.config.dataDirectory, 'outbox'), server.clock);
    const own = (await outbox.list()).filter(({ to }) => to === person.email);
    expect(own.map(({ subject }) => subject).toSorted()).toEqual([
      'News about 2 batches',
      'Your batch sheet.csv is done',
    ]);
    const watched = { ...about('watched.csv'), wantsEmail: true };
    await notify(ctx, watched);
    expect((await server.call('readNotifications', {}, person)).body.unread).toBe(0);
    await server.call('verifyAndUpdateUserDetails', { batch_emails: false }, person);
    await notify(ctx, { ...watched, text: 'unwanted.csv is done.' });
    server.clock.advance(60_000);
    await sendDueEmails(ctx);
    const rest = await ctx.db
      .selectFrom('notifications')
      .select(['text'])
      .where('user_id', '=', person.id)
      .where('emailed_at', 'is', null)
      .execute();
    expect(rest.map(({ text }) => text)).not.toContain('unwanted.csv is done.');
    expect(rest.map(({ text }) => text)).toContain('watched.csv is done.');
  });

  it('name it and its owner without an address in emails', async () => {
    const { ctx } = server.app;
    const client = await BatchClient.create(server, 1);
    const { id } = await client.start(['named']);
    await client.whenEnded(id);
    const name = 'Locked: https://evil.test/now leads.csv';
    await server.call('renameBatch', { id, name }, client.user);
    const names = { first_name: 'Ned, see https://evil.test/now' };
    await server.call('verifyAndUpdateUserDetails', names, client.user);
    await sendBatchEmail(ctx, { batchId: id, kind: 'batch_completed' });
    const plain = 'Locked https evil test now leads.csv';
    const { html, text } = await server.emailTo(client.user.email, `Your batch ${plain} is done`);
    expect(html + text).not.toContain('evil.test');
    expect(text).toContain('Hello Ned, see https evil test now,');
    const batch = await findBatchById(ctx.db, id);
    if (!batch) throw new Error('The batch is gone.');
    await notifyOfBatch(ctx, batch, 'batch_completed');
    const { notifications } = (await server.call('getNotifications', {}, client.user)).body;
    expect(notifications[0]?.text).toBe(`${plain} is done: 1 answered.`);
  });

  it('are emailed at its end also after a pause, and only at its first end', async () => {
    const { ctx } = server.app;
    const client = await BatchClient.create(server, 1);
    const { id } = await client.start(['paused and done']);
    await client.whenEnded(id);
    const ended = await findBatchById(ctx.db, id);
    if (!ended?.started_at) throw new Error('It has not started.');
    const batch = { ...ended, ended_at: after(ended.started_at, hour) };
    const email = { wantsEmail: true, emailedAt: ctx.clock.now() };
    await notifyOfBatch(ctx, batch, 'batch_paused', email);
    expect(await isWorthEmail(ctx, batch)).toBe(true);
    await notifyOfBatch(ctx, batch, 'batch_completed', email);
    expect(await isWorthEmail(ctx, batch)).toBe(false);
  });

  it('are in no email to a suspended person, or to an address that is not verified, such as one that an admin invited', async () => {
    const { ctx } = server.app;
    const invited = await createUser(server, { isVerified: false });
    const [verified, deleted] = [await createUser(server), await createUser(server)];
    await deletePerson(ctx, deleted.id);
    const suspended = await createUser(server);
    await ctx.db
      .updateTable('users')
      .set({ suspended_at: server.clock.now() })
      .where('id', '=', suspended.id)
      .execute();
    const client = await BatchClient.create(server, 2);
    const batches = [await client.start(['one of the digest']), await client.start(['another'])];
    for (const { id } of batches) await client.whenEnded(id);
    await ctx.db
      .updateTable('batches')
      .set({ name: 'prize' })
      .where('user_id', '=', client.user.id)
      .execute();
    const news = batches.map(({ id }) => ({ batchId: id, kind: 'batch_completed' as const }));
    const people = [invited, deleted, suspended, verified];
    for (const { id: userId } of people) await sendDigest(ctx, { userId, batches: news });
    const outbox = new OutboxMail(join(ctx.config.dataDirectory, 'outbox'), server.clock);
    const told = (await outbox.list()).filter(({ text }) => text.includes('prize'));
    expect(told.map(({ to }) => to)).toEqual([verified.email]);
  });
});
