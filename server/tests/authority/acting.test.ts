import { randomUUID } from 'node:crypto';
import { roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { whenEnded } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestUser } from '../support/users.ts';
import { as, createSession, createUser } from '../support/users.ts';

const { settings } = await startChat();
const server = await startTestServer(settings);
const admin = await createUser(server, { roleId: roles.admin, submissions: 1000 });
const client = await createUser(server, { adminId: admin.id, submissions: 1000 });
const foreign = await createUser(server, { submissions: 1000 });

const auditEntriesAbout = async (person: TestUser) =>
  server.app.ctx.db
    .selectFrom('audit_entries')
    .select(['act', 'actor_id', 'request_id'])
    .where('subject_id', '=', person.id)
    .orderBy('id')
    .execute();

/** Ten uploads a minute are allowed, so the clock moves on. */
async function upload(csv: string, by: TestUser, fields = {}) {
  server.clock.advance(6_100);
  const { status, body } = await server.upload(csv, { token: by.token, fields });
  expect(status).toBe(200);
  return body.file.id;
}
const asField = (person: TestUser) => ({ switchedAs: JSON.stringify({ user_id: person.id }) });

describe('an admin acting for a client', () => {
  it('uploads, asks, starts and pays as the client, and every record names both', async () => {
    const before = { admin: await server.balance(admin), client: await server.balance(client) };
    const file = await upload('Prompt\none\ntwo\n', admin, asField(client));
    await server.call(
      'saveVariable',
      { variable: { name: 'tone', value: 'kind' }, ...as(client) },
      admin,
    );
    await server.ask({ question: 'What is baked today?', query: {}, ...as(client) }, admin);
    await server.ask({ query: { file, preview: 1 }, ...as(client) }, admin);
    const started = await server.ask({ query: { file, start: true }, ...as(client) }, admin);
    const batch = await whenEnded(server, client, started.body.batch?.id ?? '');
    expect(batch).toMatchObject({ state: 'completed', answered: 2 });
    await server.call(
      'userBillingAddress',
      { billing_address: { city: 'Douglas' }, ...as(client) },
      admin,
    );
    expect(await server.balance(admin)).toBe(before.admin);
    expect(await server.balance(client)).toBe(before.client - 3);
    expect((await server.call('getProcessedFiles', {}, admin)).body.total).toBe(0);
    expect((await server.call('getProcessedFiles', {}, client)).body.total).toBe(1);
    expect((await server.call('getVariables', {}, client)).body.variables).toEqual([
      { name: 'tone', value: 'kind' },
    ]);
    const acts = (await auditEntriesAbout(client))
      .filter(({ actor_id }) => actor_id === admin.id)
      .map(({ act }) => act);
    expect(acts).toEqual([
      'sheet_uploaded',
      'variable_changed',
      'question_asked',
      'rows_tried',
      'batch_started',
      'billing_address_changed',
    ]);
    const { entries } = (await server.call('getActivity', {}, client)).body;
    expect(entries[0]).toMatchObject({
      by: { id: admin.id, name: 'Pat Person', is_self: false },
      what: 'changed the billing address',
      path: null,
    });
    expect(entries[1]).toMatchObject({
      what: 'started the batch “sheet.csv”',
      path: expect.stringMatching(/^\/history\/./),
    });
    expect(entries.at(-1)?.what).toBe('uploaded the sheet “sheet.csv”');
    expect(entries[2]?.what).toBe('tried rows of “sheet.csv”');
    expect((await server.call('getActivity', as(client), admin)).body.entries[0]?.by.is_self).toBe(
      true,
    );
  });

  it('leaves an audit entry for every write and none for a refused write', async () => {
    // Rows that are never answered keep the batch running until it is stopped.
    const file = await upload('Prompt\none [[hang]]\ntwo [[hang]]\n', admin, asField(client));
    const { batch } = (await server.ask({ query: { file, start: true }, ...as(client) }, admin))
      .body;
    const one = { id: batch?.id ?? '', ...as(client) };
    const writes = [
      ['batch_paused', () => server.call('playOrPause', { ...one, status: 'pause' }, admin)],
      ['batch_played', () => server.call('playOrPause', { ...one, status: 'play' }, admin)],
      ['batch_stopped', () => server.call('stopFileProcessing', one, admin)],
      [
        'batch_deleted',
        () => whenEnded(server, client, one.id).then(() => server.call('deleteBatch', one, admin)),
      ],
    ] as const;
    for (const [act, write] of writes) {
      const before = (await auditEntriesAbout(client)).length;
      expect((await write()).status).toBe(200);
      const [entry, ...others] = (await auditEntriesAbout(client)).slice(before);
      expect(entry).toMatchObject({ act, actor_id: admin.id });
      expect(others).toEqual([]);
    }
    const before = (await auditEntriesAbout(client)).length;
    expect((await server.call('playOrPause', { ...one, status: 'play' }, admin)).status).toBe(404);
    expect((await auditEntriesAbout(client)).length).toBe(before);
  });

  it('stays themselves in calls about their own account', async () => {
    const own = { ...as(client), creditUser: { user_id: client.id }, user_id: client.id };
    const detail = (await server.call('fetchUserDetail', own as never, admin)).body.user;
    expect(detail.id).toBe(admin.id);
    await server.call(
      'verifyAndUpdateUserDetails',
      { first_name: 'Adam', ...(own as object as never as { first_name?: string }) },
      admin,
    );
    const wrong = { current_password: 'no', password: 'plain straw 47 winter', ...as(client) };
    expect((await server.call('changePassword', wrong, admin)).status).toBe(422);
    expect(
      (await server.call('userList', own as never, admin)).body.users.map(({ id }) => id),
    ).toEqual([client.id]);
    const { first_name } = (await server.call('fetchUserDetail', {}, client)).body.user;
    expect(first_name).toBe('Pat');
    const invitation = {
      first_name: 'Ivy',
      last_name: 'Invited',
      email: `${randomUUID()}@example.test`,
    };
    const invited = (await server.call('addClient', { ...invitation, ...(own as object) }, admin))
      .body.client;
    expect(
      (await server.call('userList', own as never, admin)).body.users.map(({ id }) => id).sort(),
    ).toEqual([client.id, invited.id].sort());
    await server.call('logout', own as never, admin);
    expect((await server.call('fetchUserDetail', {}, client)).status).toBe(200);
    admin.token = await createSession(server, admin.id);
  });

  it('cannot choose a password for a client, who gets a link instead', async () => {
    const other = await createUser(server, { adminId: admin.id });
    const chosen = 'chosen by the admin 1';
    const asked = { user_id: other.id, password: chosen, new_password: chosen };
    expect((await server.call('passwordResetByAdmin', asked as never, admin)).status).toBe(200);
    expect((await server.call('login', { email: other.email, password: chosen })).status).toBe(422);
    expect((await server.call('fetchUserDetail', {}, other)).status).toBe(401);
    await server.emailTo(other.email, 'Please set a new password');
  });
});

describe('the audit log', () => {
  // By a trigger, or by missing rights for a role that owns nothing.
  const refusedByTheDatabase = /append-only|permission denied/;

  it('cannot be changed or emptied', async () => {
    const { db } = server.app.ctx;
    await expect(db.updateTable('audit_entries').set({ act: 'nothing' }).execute()).rejects.toThrow(
      refusedByTheDatabase,
    );
    await expect(db.deleteFrom('audit_entries').execute()).rejects.toThrow(refusedByTheDatabase);
  });
});

describe('switchedAs', () => {
  /** Sends a raw body, as our browser code never would. */
  async function post(body: string, token: string) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(`${server.app.url}/api/emedia/recentQuestions`, {
      method: 'POST',
      headers,
      body,
    });
    return response.status;
  }
  const forged = (id: string) => [
    { user_id: id, role: 'Admin' },
    { user_id: id, role: 'Admin', role_id: 9, email: admin.email },
    { user_id: id, admin_id: foreign.id },
    { user_id: { user_id: id } },
    { user_id: [id] },
    { user_id: `${id}\u0000` },
    { user_id: id.toUpperCase() },
    { user_id: ` ${id}` },
    { user_id: '%' },
    { user_id: true },
    { user_id: 1 },
    [id],
    [{ user_id: id }],
    id,
    7,
    true,
  ];

  it('in any form gives no access to strangers, clients or other admins', async () => {
    const other = await createUser(server, { roleId: roles.admin });
    for (const stranger of [foreign, other]) {
      for (const switchedAs of forged(client.id)) {
        expect([404, 422]).toContain(await post(JSON.stringify({ switchedAs }), stranger.token));
      }
    }
    for (const switchedAs of forged(admin.id)) {
      expect([404, 422]).toContain(await post(JSON.stringify({ switchedAs }), client.token));
    }
  });

  it('is read for its user_id only, and the last of two counts, as usual in JSON', async () => {
    const claims = { role: 'Client', role_id: 9, email: foreign.email, admin_id: foreign.id };
    expect(
      await post(JSON.stringify({ switchedAs: { user_id: client.id, ...claims } }), admin.token),
    ).toBe(200);
    expect(
      await post(
        `{"switchedAs":{"user_id":"${client.id}","user_id":"${foreign.id}"}}`,
        admin.token,
      ),
    ).toBe(404);
    expect(
      await post(
        `{"switchedAs":{"user_id":"${client.id}"},"switchedAs":{"user_id":"${foreign.id}"}}`,
        admin.token,
      ),
    ).toBe(404);
    expect(
      await post(
        `{"switchedAs":{"user_id":"${client.id}","__proto__":{"user_id":"x"}}}`,
        admin.token,
      ),
    ).toBe(200);
  });

  it('without a user means the caller', async () => {
    for (const switchedAs of [
      null,
      {},
      { user_id: null },
      { user_id: '' },
      { user_id: foreign.id },
    ]) {
      expect(await post(JSON.stringify({ switchedAs }), foreign.token)).toBe(200);
    }
    expect(await post('{}', foreign.token)).toBe(200);
  });

  it('in the address of a download or stream follows the same rule', async () => {
    const file = await upload('Prompt\nmine\n', client);
    const get = (switchedAs: string, by: TestUser) =>
      fetch(
        `${server.app.url}/api/emedia/downloadUploadedCsv/${file}?switchedAs=${encodeURIComponent(switchedAs)}`,
        {
          headers: { authorization: `Bearer ${by.token}` },
        },
      ).then(({ status }) => status);
    expect(await get(client.id, admin)).toBe(200);
    expect(await get(client.id, foreign)).toBe(404);
    expect(await get(foreign.id, foreign)).toBe(404);
    const events = await fetch(`${server.app.url}/api/emedia/events?switchedAs=${client.id}`, {
      headers: { authorization: `Bearer ${foreign.token}` },
    });
    expect(events.status).toBe(404);
  });
});

describe('without switchedAs in the body', () => {
  const acting = (person: TestUser, by: TestUser) => ({
    token: by.token,
    headers: { 'acting-for': person.id },
  });

  it('the header names the client, for the admin alone', async () => {
    await server.call(
      'saveVariable',
      { variable: { name: 'place', value: 'Peel' } },
      acting(client, admin),
    );
    const { variables } = (await server.call('getVariables', {}, client)).body;
    expect(variables).toContainEqual({ name: 'place', value: 'Peel' });
    for (const by of [foreign, client])
      expect((await server.call('getVariables', {}, acting(admin, by))).status).toBe(404);
    const named = await server.call('getVariables', as(foreign), acting(client, admin));
    expect(named.status, 'a field counts before the header').toBe(404);
    for (const call of ['getAvailableCredits', 'getUserPlan'] as const) {
      const byHeader = (person: TestUser) => server.call(call, {}, acting(person, admin));
      expect((await byHeader(foreign)).status, call).toBe(404);
      expect((await byHeader(client)).body).toEqual((await server.call(call, {}, client)).body);
    }
    const field = { creditUser: { user_id: foreign.id } };
    expect((await server.call('getAvailableCredits', field, acting(client, admin))).status).toBe(
      404,
    );
  });

  it('a call with an id runs for the owner of that id, if the caller may act for them', async () => {
    const file = await upload('Prompt\none [[hang]]\n', client);
    const started = await server.ask({ query: { file, start: true } }, client);
    const id = started.body.batch?.id ?? '';
    const pause = (by: TestUser) => server.call('playOrPause', { id, status: 'pause' }, by);
    const other = await createUser(server, { roleId: roles.admin });
    expect((await pause(foreign)).status).toBe(404);
    expect((await pause(other)).status).toBe(404);
    const before = (await auditEntriesAbout(client)).length;
    expect((await pause(admin)).body.batch.state).toBe('paused');
    const entries = (await auditEntriesAbout(client)).slice(before);
    expect(entries).toMatchObject([{ act: 'batch_paused', actor_id: admin.id }]);
    expect((await server.call('getFile', { id: file }, admin)).body.file.id).toBe(file);
    const original = await server.download('downloadUploadedCsv', { id: file }, admin);
    expect(await original.text()).toBe('Prompt\none [[hang]]\n');
    expect((await server.call('stopFileProcessing', { id }, admin)).status).toBe(200);
  });

  it('fields that the specification does not list for a body may come in the query string', async () => {
    const manager = await createUser(server, { roleId: roles.admin });
    await createUser(server, { adminId: manager.id });
    const ask = async (query: string) => {
      const headers = { authorization: `Bearer ${manager.token}` };
      const response = await fetch(`${server.app.url}/api/userList?${query}`, {
        method: 'POST',
        headers,
      });
      const { users } = (await response.json()) as { users?: object[] };
      return { status: response.status, users };
    };
    expect((await ask('start=0&limit=1&search=')).users).toHaveLength(1);
    expect((await ask('start=1&limit=1')).users).toHaveLength(0);
    expect((await ask('search=404')).users).toHaveLength(0);
    expect((await ask('limit=many')).status).toBe(422);
    expect((await ask('limit=1&limit=2')).status).toBe(422);
  });
});
