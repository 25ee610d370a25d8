import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { updateUser } from '../../src/domains/identity/store/users.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { day } from '../../src/lib/clock.ts';
import { when } from '../support/batches.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestUser } from '../support/users.ts';
import { addSubmissions, as, createSession, createUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const server = await startTestServer({ CHAT_BASE_URL: 'demo' });
const admin = await createUser(server, { roleId: roles.admin, submissions: 1000 });
const client = await createUser(server, { adminId: admin.id, submissions: 50 });

const change = (
  by: TestUser,
  user_id: string,
  amount: unknown,
  reason: unknown = 'Monthly share',
) => server.call('updateCreditCount', { user_id, change: amount, reason } as never, by);
const entries = (subject: TestUser, act: string) =>
  server.app.ctx.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('subject_id', '=', subject.id)
    .where('act', '=', act)
    .orderBy('at')
    .execute();

const returnable = async (by: TestUser, { id }: TestUser) => {
  const request = { creditUser: { user_id: id }, can_take_back: true };
  return (await server.call('getAvailableCredits', request, by)).body.can_take_back;
};

describe('an admin', () => {
  it('gives from their own balance and takes back what they gave, with a stored reason', async () => {
    expect((await change(admin, client.id, 300)).body.creditsAvailable).toBe(350);
    expect(await server.balance(admin)).toBe(700);
    expect((await change(admin, client.id, -100, 'Too many')).body.creditsAvailable).toBe(250);
    expect(await server.balance(admin)).toBe(800);
    expect((await entries(client, 'credits_given')).map(({ detail }) => detail)).toEqual([
      { amount: 300, reason: 'Monthly share' },
    ]);
    expect((await entries(client, 'credits_taken_back')).at(-1)).toMatchObject({
      actor_id: admin.id,
      detail: { amount: 100, reason: 'Too many' },
    });
    await expectLedgerChecksToPass(server);
  });

  it('cannot give more than they have or take what the client got elsewhere', async () => {
    const before = [await server.balance(admin), await server.balance(client)];
    expect((await change(admin, client.id, 801)).body.code).toBe('insufficient_credits');
    const taken = await change(admin, client.id, -201);
    expect(taken.body).toMatchObject({
      code: 'insufficient_credits',
      message: 'You can take back at most 200 submissions.',
    });
    expect([await server.balance(admin), await server.balance(client)]).toEqual(before);
  });

  it('cannot take what the client bought after the gift was spent, or while it is reserved', async () => {
    const giver = await createUser(server, { roleId: roles.admin, submissions: 20 });
    const taker = await createUser(server, { adminId: giver.id });
    const ask = () => server.ask({ question: 'How far is the moon?', query: {} }, taker);
    const takeBack = async (amount: number) =>
      (await change(giver, taker.id, -amount)).body.message ?? (await server.balance(taker));
    await change(giver, taker.id, 3);
    for (let times = 0; times < 2; times++) expect((await ask()).status).toBe(200);
    await addSubmissions(server, taker.id, 10);
    expect(await takeBack(2)).toBe('You can take back at most 1 submission.');
    expect(await returnable(giver, taker)).toBe(1);
    const operator = await createUser(server, { roleId: roles.operator });
    await updateUser(server.app.ctx.db, taker.id, { admin_id: operator.id });
    expect(await returnable(operator, taker)).toBe(11);
    await updateUser(server.app.ctx.db, taker.id, { admin_id: giver.id });
    await ask();
    expect(await takeBack(1)).toBe('You can take back at most 0 submissions.');
    expect(await returnable(giver, taker)).toBe(0);
    await change(giver, taker.id, 2);
    expect(await takeBack(2)).toBe(10);
    await expectLedgerChecksToPass(server);
  });

  it('must name a client and a reason', async () => {
    expect((await server.call('updateCreditCount', { change: 5 }, admin)).body.fields).toEqual({
      user_id: 'Choose whose submissions to change.',
      reason: 'Enter a reason.',
    });
  });

  it('gives and takes back many times at once without losing or creating a submission', async () => {
    const sum = (await server.balance(admin)) + (await server.balance(client));
    const amounts = Array.from({ length: 40 }, (_, n) => (n % 2 ? 7 : -7));
    const answers = await Promise.all(
      amounts.map((amount) => retryWhileBusy(() => change(admin, client.id, amount))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await server.balance(admin)) + (await server.balance(client))).toBe(sum);
    await expectLedgerChecksToPass(server);
  });
});

describe('a client', () => {
  it('cannot change a balance by naming a client', async () => {
    const before = await server.balance(client);
    for (const user_id of [client.id, admin.id, 'unknown']) {
      expect((await change(client, user_id, 500)).body.creditsAvailable).toBe(before);
    }
    expect(await server.balance(client)).toBe(before);
  });
});

describe('an operator', () => {
  it('adjusts any balance from the outside, with a stored reason', async () => {
    const operator = await createUser(server, { roleId: roles.operator });
    const before = await server.balance(client);
    expect((await change(operator, client.id, 5, 'Goodwill')).body.creditsAvailable).toBe(
      before + 5,
    );
    expect((await change(operator, client.id, -3, 'Mistake')).body.creditsAvailable).toBe(
      before + 2,
    );
    expect((await change(operator, client.id, -1_000_000, 'Too much')).body).toMatchObject({
      code: 'insufficient_credits',
      message: `You can take back at most ${before + 2} submissions.`,
    });
    expect((await change(operator, 'unknown', 1)).status).toBe(404);
    expect(await entries(client, 'credits_adjusted')).toMatchObject([
      { detail: { change: 5, reason: 'Goodwill' } },
      { detail: { change: -3, reason: 'Mistake' } },
    ]);
    await expectLedgerChecksToPass(server);
  });
});

describe('a monthly limit', () => {
  const ask = (by: TestUser, more = {}) =>
    server.ask({ question: 'How far is the moon?', query: {}, ...more }, by);

  it('limits what a client can spend in a month, alone or through their admin', async () => {
    const limited = await createUser(server, { adminId: admin.id, submissions: 100 });
    const set = { user_id: limited.id, monthly_limit: 3 };
    expect((await server.call('setClientLimits', set, admin)).status).toBe(200);
    for (const more of [{}, {}]) expect((await ask(limited, more)).status).toBe(200);
    expect((await ask(admin, as(limited))).status).toBe(200);
    const refused = await ask(limited);
    expect(refused.body.code).toBe('insufficient_credits');
    expect(refused.body.message).toMatch(/^The monthly limit of 3 submissions leaves 0 until 1 /);
    expect((await ask(admin, as(limited))).status).toBe(402);
    const listed = (await server.call('userList', { search: limited.email }, admin)).body.users[0];
    expect(listed).toMatchObject({
      monthly_limit: 3,
      spent_this_month: 3,
      creditsAvailable: 97,
      batches_running: 0,
    });
    await server.call('setClientLimits', { user_id: limited.id, monthly_limit: null }, admin);
    expect((await ask(limited)).status).toBe(200);
  });

  it('ends with its admin, like the alert level', async () => {
    const limited = await createUser(server, { adminId: admin.id, submissions: 10 });
    const set = { user_id: limited.id, monthly_limit: 0, low_balance_at: 500 };
    const operator = await createUser(server, { roleId: roles.operator });
    const other = await createUser(server, { roleId: roles.admin });
    const moveTo = (admin_id: string | null) =>
      server.call('moveClient', { user_id: limited.id, admin_id, reason: 'Moved' }, operator);
    await server.call('setClientLimits', set, admin);
    expect((await ask(limited)).status).toBe(402);
    await moveTo(other.id);
    const listed = (await server.call('userList', { search: limited.email }, other)).body.users;
    expect(listed).toMatchObject([{ monthly_limit: null, low_balance_at: 20 }]);
    await server.call('setClientLimits', set, other);
    await moveTo(null);
    expect((await ask(limited)).status).toBe(200);
    const { notifications } = (await server.call('getNotifications', {}, limited)).body;
    expect(notifications).toEqual([]);
  });

  it('counts reservations, and of many simultaneous starts only the allowed number passes', async () => {
    const limited = await createUser(server, { adminId: admin.id, submissions: 100 });
    await server.call('setClientLimits', { user_id: limited.id, monthly_limit: 5 }, admin);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        retryWhileBusy(() => ask(n % 2 ? limited : admin, n % 2 ? {} : as(limited))),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(15);
    const { body } = await server.upload('Prompt\none\ntwo\n', limited);
    const started = await server.ask({ query: { file: body.file.id, start: true } }, limited);
    expect(started.body.message).toMatch(/^The monthly limit of 5/);
    await expectLedgerChecksToPass(server);
  });

  it('is part of a quote, and what the quote offers starts', async () => {
    const limited = await createUser(server, { adminId: admin.id, submissions: 100 });
    await server.call('setClientLimits', { user_id: limited.id, monthly_limit: 2 }, admin);
    const { body } = await server.upload('Prompt\none\n""\ntwo\nthree\n', limited);
    const sheet = { file: body.file.id };
    const askSheet = async (query: object) =>
      (await server.ask({ query: { ...sheet, ...query } }, limited)).body;
    const { quote } = await askSheet({ quote: true });
    expect(quote).toMatchObject({ rows: 4, blank: 1, needed: 3, available: 100, covered: 2 });
    expect(quote).toMatchObject({ monthly: { limit: 2, left: 2 }, blocked: null });
    expect((await askSheet({ start: true })).code).toBe('insufficient_credits');
    const { batch } = await askSheet({ start: true, partial: true });
    const paused = await when(server, {
      user: limited,
      id: batch?.id ?? '',
      test: ({ state }) => state === 'paused',
    });
    expect(paused).toMatchObject({ pause_reason: 'needs_credits', charged: 2, held: 0 });
    // The balance would do, so it does not say to buy.
    expect(paused.pause_detail).toMatch(
      /^This batch reached the monthly limit of 2 submissions, which starts/,
    );
    expect((await askSheet({ quote: true })).quote).toMatchObject({
      monthly: { left: 0 },
      covered: 0,
    });
  });

  it('can only be set for one’s own client', async () => {
    const other = await createUser(server, { roleId: roles.admin });
    for (const user_id of [client.id, admin.id, other.id, 'unknown']) {
      expect(
        (await server.call('setClientLimits', { user_id, monthly_limit: 0 }, other)).status,
      ).toBe(404);
    }
    expect(
      (await server.call('setClientLimits', { user_id: client.id, monthly_limit: -1 }, admin))
        .status,
    ).toBe(422);
  });
});

describe('a low balance', () => {
  it('is reported to the client and their admin once, and again after a refill', async () => {
    const low = await createUser(server, { adminId: admin.id, submissions: 4 });
    const first_name = 'https://evil.test/now Your account';
    await server.call('verifyAndUpdateUserDetails', { first_name, last_name: 'is locked' }, low);
    await server.call('setClientLimits', { user_id: low.id, low_balance_at: 3 }, admin);
    const mails = async () => {
      const limits = await server.app.ctx.db
        .selectFrom('client_limits')
        .selectAll()
        .where('user_id', '=', low.id)
        .executeTakeFirst();
      return limits?.low_balance_notified_at?.toISOString();
    };
    const ask = () => server.ask({ question: 'Again?', query: {} }, low);
    await ask();
    expect(await mails()).toBeUndefined();
    await ask();
    const first = await mails();
    expect(first).toBeDefined();
    expect((await server.emailTo(low.email, 'Your submissions are running low')).text).toContain(
      '/credits',
    );
    const name = 'https evil test now Your account is loc…';
    const told = await server.emailTo(admin.email, `${name} is running low on submissions`);
    expect(told.text).toContain(encodeURIComponent(low.email));
    expect(told.html + told.text).not.toContain('evil.test');
    await ask();
    expect(await mails()).toBe(first);
    server.clock.advance(day);
    low.token = await createSession(server, low.id);
    admin.token = await createSession(server, admin.id);
    await change(admin, low.id, 2);
    await ask();
    expect(await mails()).not.toBe(first);
  });

  it('fills no inbox, however often the admin changes the alert level', async () => {
    const low = await createUser(server, { adminId: admin.id, submissions: 20 });
    const { attempts } = rateLimits.emailPerAddress;
    for (let times = 0; times <= attempts; times++) {
      const limits = { user_id: low.id, low_balance_at: 100 + times };
      expect((await server.call('setClientLimits', limits, admin)).status).toBe(200);
      expect((await server.ask({ question: 'Again?', query: {} }, low)).status).toBe(200);
    }
    const { rows } = await sql`select from jobs.job
      where name = 'credits.low-balance' and data->>'userId' = ${low.id} and data->>'to' = 'client'
    `.execute(server.app.ctx.db);
    expect(rows).toHaveLength(attempts);
  });
});

it('restarts with each calendar month', async () => {
  const limited = await createUser(server, { adminId: admin.id, submissions: 10 });
  await server.call('setClientLimits', { user_id: limited.id, monthly_limit: 1 }, admin);
  const ask = () => server.ask({ question: 'What day is it?', query: {} }, limited);
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 402]);
  server.clock.advance(31 * day);
  limited.token = await createSession(server, limited.id);
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 402]);
});
