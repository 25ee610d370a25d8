import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endpoints, roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { minute } from '../../src/lib/clock.ts';
import { whenEnded } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { ending, sendRaw, sheetPart } from '../support/raw-request.ts';
import { startTestServer } from '../support/test-server.ts';
import {
  as,
  createSession,
  createUser,
  newEmail,
  password,
  signIn,
  type TestUser,
} from '../support/users.ts';
import { providerToSave } from './call-table.ts';

const { settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '1' });
const operator = await createUser(server, { roleId: roles.operator });

const reason = 'Asked for by telephone';
const suspend = (user_id: string, suspended = true) =>
  server.call('setSuspended', { user_id, suspended, reason }, operator);
const move = (user_id: string, admin_id: string | null) =>
  server.call('moveClient', { user_id, admin_id, reason }, operator);
const setRole = (user_id: string, role_id: 1 | 2) =>
  server.call('setRole', { user_id, role_id, reason }, operator);
const balanceFor = (client: TestUser, by: TestUser) =>
  server.call('getAvailableCredits', { creditUser: { user_id: client.id } }, by);

async function pair() {
  const admin = await createUser(server, { roleId: roles.admin, submissions: 100 });
  return { admin, client: await createUser(server, { adminId: admin.id, submissions: 100 }) };
}

/** A batch that runs row by row until it is stopped. */
async function slowBatch(by: TestUser, more: object): Promise<string> {
  const csv = `Prompt\n${Array.from({ length: 100 }, (_, row) => `${row} [[slow 200]]`).join('\n')}\n`;
  const fields = Object.fromEntries(
    Object.entries(more).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  const { body } = await server.upload(csv, { token: by.token, fields });
  const started = await server.ask({ query: { file: body.file.id, start: true }, ...more }, by);
  expect(started.status).toBe(200);
  return started.body.batch?.id ?? '';
}

describe('people', () => {
  it('are found by name, address and admin, with the details an operator needs', async () => {
    const { admin, client } = await pair();
    const found = await server.call('getPeople', { search: client.email.slice(0, 20) }, operator);
    expect(found.body).toMatchObject({
      total: 1,
      people: [
        {
          id: client.id,
          role_id: 1,
          plan: null,
          creditsAvailable: 100,
          suspended_at: null,
          admin: { id: admin.id, name: 'Pat Person' },
        },
      ],
    });
    expect(
      (await server.call('getPeople', { search: admin.id }, operator)).body.people
        .map(({ id }) => id)
        .sort(),
    ).toEqual([admin.id, client.id].sort());
    const alone = await server.call('getPeople', { person_id: admin.id }, operator);
    expect(alone.body).toMatchObject({ total: 1, people: [{ id: admin.id }] });
    const { plans } = (await server.call('getPlans', {}, admin)).body;
    const free = plans.find(({ price_minor }) => price_minor === 0);
    await server.call('setPlan', { id: free?.id ?? '' }, client);
    const onPlan = await server.call('getPeople', { person_id: client.id }, operator);
    expect(onPlan.body.people).toMatchObject([{ plan: free?.name }]);
    const admins = (await server.call('getPeople', { role_id: 2, limit: 100 }, operator)).body
      .people;
    expect(new Set(admins.map(({ role_id }) => role_id))).toEqual(new Set([2]));
    expect((await server.call('getPeople', { search: '%' }, operator)).body.total).toBe(0);
  });
});

describe('a suspended user', () => {
  it('is signed out at once and refused with a message until the suspension is lifted', async () => {
    const person = await createUser(server);
    expect((await suspend(person.id)).status).toBe(200);
    expect((await server.call('fetchUserDetail', {}, person)).status).toBe(401);
    const refused = await server.call('login', { email: person.email, password });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('suspended');
    expect(refused.body.user_token).toBeUndefined();
    expect(
      (await server.call('login', { email: person.email, password: 'a wrong guess 99' })).body.code,
    ).toBe('wrong_credentials');
    const email = await server.emailTo(person.email, 'is suspended');
    for (const words of [reason, server.app.ctx.config.operator.email, 'continue'])
      expect(email.text).toContain(words);
    await suspend(person.id, false);
    expect((await server.emailTo(person.email, 'is open again')).text).toContain('/auth/login');
    expect(await signIn(server, person.email)).toEqual(expect.any(String));
    const log = await server.call('getAuditLog', { search: person.email }, operator);
    expect(log.body.entries.map(({ what }) => what).slice(0, 2)).toEqual([
      `lifted the suspension: ${reason}`,
      `suspended the account: ${reason}`,
    ]);
  });

  it('is invited again when the suspension is lifted before they had a password', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const person = { first_name: 'Cleo', last_name: 'Client', email: newEmail() };
    const { id } = (await server.call('addClient', person, admin)).body.client;
    const first = await server.tokenSentTo(person.email, 'Pat Person invites you');
    await suspend(id);
    await suspend(id, false);
    const tokenNow = () => server.tokenSentTo(person.email, 'Pat Person invites you');
    await expect.poll(tokenNow).not.toBe(first);
    const accepted = { token: await tokenNow(), password };
    expect((await server.call('resetPassword', accepted)).status).toBe(200);
  });

  it('cannot end a call or an upload whose body began before the suspension', async () => {
    const person = await createUser(server);
    const { db } = server.app.ctx;
    const suspended = Promise.withResolvers<void>();
    async function* slowly(begin: string | Buffer, end: string | Buffer) {
      yield Buffer.from(begin);
      await suspended.promise;
      // A session that was checked less than a second ago counts as checked.
      await wait(1_100);
      yield Buffer.from(end);
    }
    const sessions = db.selectFrom('sessions').where('user_id', '=', person.id);
    const lastSeen = async () =>
      (await sessions.select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at.getTime();
    const before = new Date(server.clock.now().getTime() - 2 * minute);
    await db
      .updateTable('sessions')
      .set({ last_seen_at: before })
      .where('user_id', '=', person.id)
      .execute();
    const call = fetch(server.app.url + endpoints.saveVariable.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
      body: ReadableStream.from(slowly('{"variable":', '{"name":"tone","value":"kind"}}')),
      duplex: 'half',
    });
    await expect.poll(lastSeen).toBeGreaterThan(before.getTime());
    const body = slowly(sheetPart('Text\none\n'), ending);
    const upload = sendRaw(server, { token: person.token, body });
    const unfinished = join(server.settings.DATA_DIR ?? '', 'files/unfinished');
    await expect.poll(() => readdirSync(unfinished).length).toBe(1);
    await suspend(person.id);
    suspended.resolve();
    expect([(await call).status, (await upload).status]).toEqual([401, 401]);
    for (const table of ['variables', 'sheets'] as const) {
      const stored = db.selectFrom(table).select('user_id').where('user_id', '=', person.id);
      expect(await stored.execute()).toEqual([]);
    }
    expect(readdirSync(unfinished)).toEqual([]);
  });

  it('gets no session at the moment of the suspension', async () => {
    const person = await createUser(server);
    const logins = Array.from({ length: 5 }, () =>
      server.call('login', { email: person.email, password }),
    );
    const [, ...answers] = await Promise.all([suspend(person.id), ...logins]);
    for (const { body } of answers) {
      if (body.user_token)
        expect((await server.call('fetchUserDetail', {}, { token: body.user_token })).status).toBe(
          401,
        );
    }
  });

  it('cannot be acted for, but their running batch continues', async () => {
    const { admin, client } = await pair();
    const id = await slowBatch(client, {});
    await suspend(client.id);
    const refused = await balanceFor(client, admin);
    expect([refused.status, refused.body.code]).toEqual([403, 'suspended']);
    const listed = async () => (await server.call('userList', {}, admin)).body.users[0];
    expect((await listed())?.suspended_at).toEqual(expect.any(String));
    await suspend(client.id, false);
    expect((await listed())?.suspended_at).toBeNull();
    const seen = async () =>
      (await server.call('getBatch', { id, ...as(client) }, admin)).body.batch;
    const { answered } = await seen();
    await suspend(client.id);
    await expect
      .poll(
        async () =>
          (
            await server.app.ctx.db
              .selectFrom('batches')
              .selectAll()
              .where('id', '=', id)
              .executeTakeFirst()
          )?.answered,
      )
      .toBeGreaterThan(answered);
    await suspend(client.id, false);
    await server.call('stopFileProcessing', { id, ...as(client) }, admin);
  });
});

describe('a moved client', () => {
  it('belongs to the new admin from the next call on, the old one gets a message, and the batch continues', async () => {
    const { admin, client } = await pair();
    const other = await createUser(server, { roleId: roles.admin });
    const id = await slowBatch(admin, as(client));
    expect((await move(client.id, other.id)).status).toBe(200);
    const refused = await balanceFor(client, admin);
    expect([refused.status, refused.body.code]).toEqual([403, 'no_longer_yours']);
    expect(
      (await server.call('playOrPause', { id, status: 'pause', ...as(client) }, admin)).status,
    ).toBe(403);
    expect((await server.call('userList', {}, admin)).body.total).toBe(0);
    expect((await server.call('fetchUserDetail', {}, admin)).status).toBe(200);
    expect((await server.call('getBatch', { id, ...as(client) }, other)).body.batch.state).toBe(
      'running',
    );
    expect((await server.call('getBatch', { id }, client)).body.batch.state).toBe('running');
    await expect
      .poll(async () => (await server.call('getBatch', { id }, client)).body.batch.answered)
      .toBeGreaterThan(8);
    await move(client.id, null);
    expect((await balanceFor(client, other)).body.code).toBe('no_longer_yours');
    await move(client.id, admin.id);
    expect((await balanceFor(client, admin)).status).toBe(200);
    await server.call('stopFileProcessing', { id }, client);
    const activity = (await server.call('getActivity', {}, client)).body.entries;
    const moves = activity.map(({ what }) => what).filter((what) => what.includes('manager'));
    expect(moves).toEqual(
      ['Pat Person', 'no one', 'Pat Person'].map(
        (to) => `changed the manager of the account to ${to}: ${reason}`,
      ),
    );
  });

  it('can only be moved to an admin, and only clients can be moved', async () => {
    const { admin, client } = await pair();
    const lonely = await createUser(server);
    for (const target of [lonely.id, client.id])
      expect((await move(client.id, target)).status).toBe(409);
    for (const target of ['unknown']) expect((await move(client.id, target)).status).toBe(404);
    expect((await move(admin.id, operator.id)).status).toBe(409);
    expect((await move('unknown', admin.id)).status).toBe(404);
    await suspend(admin.id);
    expect((await move(lonely.id, admin.id)).status).toBe(409);
  });
});

describe('a changed role', () => {
  it('lets a new admin have clients from the next call on', async () => {
    const person = await createUser(server, { submissions: 10 });
    expect((await server.call('userList', {}, person)).body.code).toBe('not_allowed');
    expect((await setRole(person.id, 2)).status).toBe(200);
    expect((await server.call('userList', {}, person)).body.total).toBe(0);
  });

  it('takes the clients of a former admin at the next call and keeps the session', async () => {
    const { admin, client } = await pair();
    await setRole(admin.id, 1);
    expect((await server.call('userList', {}, admin)).body.code).toBe('not_allowed');
    expect((await balanceFor(client, admin)).body.code).toBe('no_longer_yours');
    expect(await server.balance(admin)).toBe(100);
    const { people } = (await server.call('getPeople', { search: client.email }, operator)).body;
    expect(people[0]?.admin).toBeNull();
  });

  it('ends the tie of a former client to their admin', async () => {
    const { admin, client } = await pair();
    await setRole(client.id, 2);
    expect((await balanceFor(client, admin)).body.code).toBe('no_longer_yours');
    expect(
      (await server.call('getPeople', { search: client.email }, operator)).body.people[0],
    ).toMatchObject({ role_id: 2, admin: null });
  });
});

describe('an operator', () => {
  it('cannot be suspended, moved or demoted by operators', async () => {
    const { admin } = await pair();
    const second = await createUser(server, { roleId: roles.operator });
    for (const { id } of [second, operator]) {
      expect((await suspend(id)).body.code).toBe('not_now');
      expect((await setRole(id, 1)).body.code).toBe('not_now');
      expect((await move(id, admin.id)).body.code).toBe('not_now');
    }
    expect(
      (await server.call('setRole', { user_id: admin.id, role_id: 3 as never, reason }, operator))
        .status,
    ).toBe(422);
  });

  it('cannot act for a client of an admin', async () => {
    const { client } = await pair();
    expect((await balanceFor(client, operator)).status).toBe(404);
  });

  it('searches the audit log by user, act, reason and request', async () => {
    const { admin, client } = await pair();
    await move(client.id, null);
    const search = async (text: string) =>
      (await server.call('getAuditLog', { search: text }, operator)).body.entries;
    const [entry] = await search(client.id);
    expect(entry).toMatchObject({
      act: 'client_moved',
      actor: { id: operator.id },
      subject: { id: client.id, email: client.email },
      detail: { from: admin.id, to: null, reason },
      what: `changed the manager of the account to no one: ${reason}`,
    });
    expect(await search(entry?.request_id ?? '')).toEqual([entry]);
    expect((await search('client moved')).length).toBeGreaterThan(0);
    expect((await search('by telephone')).length).toBeGreaterThan(0);
    expect(await search('100%')).toEqual([]);
  });

  it('sees the result of every ledger check', async () => {
    const { invariants } = (await server.call('getInvariants', {}, operator)).body;
    expect(invariants.length).toBeGreaterThan(5);
    expect(invariants.filter(({ broken }) => broken > 0)).toEqual([]);
    const { client } = await pair();
    const accounts = server.app.ctx.db
      .updateTable('credit_accounts')
      .where('user_id', '=', client.id);
    await accounts.set({ available: 101 }).execute();
    const broken = (await server.call('getInvariants', {}, operator)).body.invariants.filter(
      (claim) => claim.broken > 0,
    );
    expect(broken).toEqual([
      {
        claim: 'each bucket of an account is the sum of its entries',
        broken: 1,
        broken_by: [client.id],
      },
    ]);
    await accounts.set({ available: 100 }).execute();
  });

  it('sees what runs, what waits and the figures of the last day', async () => {
    const overview = async () => (await server.call('getOverview', {}, operator)).body;
    const before = await overview();
    const { client } = await pair();
    const { db } = server.app.ctx;
    const id = await slowBatch(client, {});
    const until = new Date(server.clock.now().getTime() + 60_000);
    await db.insertInto('cooldowns').values({ model: 'other', until }).execute();
    const added = { ...providerToSave, name: 'Throttling provider' };
    const { provider } = (await server.call('saveProvider', added, operator)).body;
    await db
      .insertInto('cooldowns')
      .values({ model: provider.id ?? '', until })
      .execute();
    const account = db.updateTable('credit_accounts').where('user_id', '=', client.id);
    await account.set({ frozen_at: until }).execute();
    expect(await overview()).toMatchObject({
      batches: { running: before.batches.running + 1, stuck: before.batches.stuck },
      throttled: expect.arrayContaining(
        ['other', added.name].map((model) => ({ model, until: until.toISOString() })),
      ),
      frozen_accounts: before.frozen_accounts + 1,
      new_people: before.new_people + 2,
      emails_wait: true,
      files_problem: null,
    });
    await account.set({ frozen_at: null }).execute();
    await db.deleteFrom('cooldowns').execute();
    await expect
      .poll(async () => (await overview()).rows.answered)
      .toBeGreaterThan(before.rows.answered);
    await server.call('stopFileProcessing', { id }, client);
    await whenEnded(server, client, id);
    const paused = db.updateTable('batches').where('id', '=', id);
    await paused.set({ state: 'paused', pause_reason: 'provider_down' }).execute();
    expect((await overview()).batches).toEqual({
      ...before.batches,
      stuck: before.batches.stuck + 1,
    });
    await paused.set({ state: 'stopped', pause_reason: null }).execute();
  });

  it('is still an operator at the next visit', async () => {
    expect(
      (await server.call('getPeople', {}, { token: await createSession(server, operator.id) }))
        .status,
    ).toBe(200);
  });
});
