import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeOperator } from '../../src/domains/identity/accounts/registration.ts';
import { sendAccountEmail } from '../../src/domains/identity/emails.ts';
import { hashSecret } from '../../src/lib/ids.ts';
import { startTestServer } from '../support/test-server.ts';
import {
  createUser,
  newEmail,
  password,
  registration,
  signIn,
  type TestUser,
} from '../support/users.ts';

const server = await startTestServer();

const second = 1_000;
const hour = 3_600 * second;
const newPassword = 'quiet lantern 82 meadow';
const resetSubject = 'Set a new password';

const useToken = async (token: string, at = server) =>
  (await at.call('fetchUserDetail', {}, { token })).status;

/** A client of an admin with a second session on another device. */
async function clientOnTwoDevices() {
  const admin = await createUser(server, { roleId: roles.admin });
  const client = await createUser(server, { adminId: admin.id });
  return { admin, client, elsewhere: await signIn(server, client.email) };
}

async function resetByLink({ email }: TestUser) {
  await server.call('sendResetLinkEmail', { email });
  return server.call('resetPassword', {
    token: await server.tokenSentTo(email, resetSubject),
    password: newPassword,
  });
}

const changePassword = (caller: { token: string }) =>
  server.call('changePassword', { current_password: password, password: newPassword }, caller);

type Act = (client: TestUser, admin: TestUser) => Promise<{ status: number }>;

const refused = 401;
const alive = 200;
const acts: [string, Act, own: number, elsewhere: number][] = [
  ['signing out', (client) => server.call('logout', {}, client), refused, alive],
  ['a changed password', changePassword, alive, refused],
  ['signing out all others', (client) => server.call('revokeSession', {}, client), alive, refused],
  ['a password reset by email link', resetByLink, refused, refused],
  [
    'a reset by the admin',
    ({ id }, admin) => server.call('passwordResetByAdmin', { user_id: id }, admin),
    refused,
    refused,
  ],
  [
    'deleting the account',
    (client) => server.call('deleteUserAccount', { current_password: password }, client),
    refused,
    refused,
  ],
];

describe('a token', () => {
  it.each(acts)(
    'has no access from the next request on after %s',
    async (_what, act, ...expected) => {
      const { admin, client, elsewhere } = await clientOnTwoDevices();
      expect([await useToken(client.token), await useToken(elsewhere)]).toEqual([alive, alive]);
      expect((await act(client, admin)).status).toBe(200);
      expect([await useToken(client.token), await useToken(elsewhere)]).toEqual(expected);
    },
  );

  it.each(['', 'x', 'Bearer', 'null', '0'.repeat(43), '../../', 'é'.repeat(20)])(
    'cannot be guessed with %j',
    async (token) => {
      const headers = { authorization: `Bearer ${encodeURIComponent(token)}` };
      expect((await server.call('fetchUserDetail', {}, { headers })).body.code).toBe(
        'not_signed_in',
      );
    },
  );
});

describe('a session', () => {
  it('ends 24 hours and a second after its last use', async () => {
    const later = await startTestServer();
    const { email, token: used } = await createUser(later);
    const unused = await signIn(later, email);
    later.clock.advance(23 * hour);
    expect(await useToken(used, later)).toBe(alive);
    later.clock.advance(hour + second);
    expect(await useToken(unused, later)).toBe(refused);
    expect(await useToken(used, later)).toBe(alive);
  });

  it('ends 7 days and a second after its start, even if it is in use', async () => {
    const later = await startTestServer();
    const { token } = await createUser(later);
    for (let spent = 0; spent < 7 * 24; spent += 12) {
      expect(await useToken(token, later)).toBe(alive);
      later.clock.advance(12 * hour);
    }
    later.clock.advance(second);
    expect(await useToken(token, later)).toBe(refused);
  });
});

describe('the old password', () => {
  it.each<[string, (person: TestUser) => Promise<{ body: { code?: string } }>]>([
    ['a sign-in', ({ email }) => server.call('login', { email, password })],
    ['a change of password', changePassword],
    [
      'a change of address',
      (person) =>
        server.call(
          'verifyAndUpdateUserDetails',
          { email: newEmail(), current_password: password },
          person,
        ),
    ],
  ])('fails %s that was under way when it was replaced', async (_what, act) => {
    const person = await createUser(server);
    const { db, passwords } = server.app.ctx;
    const replaced = await passwords.hash(newPassword);
    const { isReached, letGo } = holdNextCheck();
    const underWay = act(person);
    await isReached;
    await db
      .updateTable('users')
      .set({ password_hash: replaced })
      .where('id', '=', person.id)
      .execute();
    await db.deleteFrom('sessions').where('user_id', '=', person.id).execute();
    letGo();
    expect((await underWay).body.code).toBe('wrong_credentials');
    expect(
      await db.selectFrom('sessions').selectAll().where('user_id', '=', person.id).execute(),
    ).toEqual([]);
    const kept = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ password_hash: replaced, pending_email: null });
  });

  /** Holds the next password check, as a full hashing queue would. */
  function holdNextCheck() {
    const { passwords } = server.app.ctx;
    const isRight = passwords.isRight;
    const [isReached, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    passwords.isRight = async (...asked) => {
      passwords.isRight = isRight;
      isReached.resolve();
      await mayGo.promise;
      return passwords.isRight(...asked);
    };
    return { isReached: isReached.promise, letGo: mayGo.resolve };
  }
});

describe('another way to gain access', () => {
  it.each<[string, Act]>([
    ['a changed password', changePassword],
    ['a password reset by email link', resetByLink],
    [
      'a reset by the admin',
      (client, admin) => server.call('passwordResetByAdmin', { user_id: client.id }, admin),
    ],
  ])('prepared beforehand is revoked by %s', async (_what, act) => {
    const { admin, client } = await clientOnTwoDevices();
    const foreign = newEmail();
    await server.call(
      'verifyAndUpdateUserDetails',
      { email: foreign, current_password: password },
      client,
    );
    const move = await server.tokenSentTo(foreign, 'new email address');
    const invitation = await makeOperator(server.app.ctx, client.email);
    await server.app.ctx.db
      .updateTable('users')
      .set({ role_id: roles.client, admin_id: admin.id })
      .where('id', '=', client.id)
      .execute();
    expect((await act(client, admin)).status).toBe(200);
    expect((await server.call('verifyLink', { token: move })).body.code).toBe('link_invalid');
    const taken = await server.call('resetPassword', {
      token: invitation,
      password: 'somebody else 99 entirely',
    });
    expect(taken.body.code).toBe('link_invalid');
  });

  it.each(['reset_by_admin', 'invitation'] as const)(
    'is not sent to the old inbox when the address changed while the email waited: %s',
    async (kind) => {
      const { ctx } = server.app;
      const { id } = await createUser(server);
      const old = newEmail();
      await sendAccountEmail(ctx, { kind, email: old, userId: id, from: 'An admin' });
      const links = ctx.db.selectFrom('email_links').selectAll().where('user_id', '=', id);
      expect(await links.execute()).toEqual([]);
    },
  );

  it('through the old inbox is revoked when the email address changes', async () => {
    const { email, token } = await createUser(server);
    await server.call('sendResetLinkEmail', { email });
    const old = await server.tokenSentTo(email, resetSubject);
    const next = newEmail();
    await server.call(
      'verifyAndUpdateUserDetails',
      { email: next, current_password: password },
      { token },
    );
    await server.call('verifyLink', { token: await server.tokenSentTo(next, 'new email address') });
    expect(
      (await server.call('resetPassword', { token: old, password: newPassword })).body.code,
    ).toBe('link_invalid');
  });
});

describe('the database', () => {
  it('contains no readable token in any table of any schema', async () => {
    const issued = await everyKindOfToken();
    const dump = await dumpDatabase();
    for (const [kind, token] of Object.entries(issued)) {
      expect(Buffer.from(token, 'base64url').length, kind).toBeGreaterThanOrEqual(32);
      expect(dump.includes(token), `${kind} is kept readable`).toBe(false);
      const isStored = kind !== 'app_token';
      expect(dump.includes(hashSecret(token)), `the hash of ${kind}`).toBe(isStored);
    }
  });
});

async function everyKindOfToken(): Promise<Record<string, string>> {
  const admin = await createUser(server, { roleId: roles.admin });
  const invited = newEmail();
  const fresh = newEmail();
  await server.call('registerUser', registration(fresh));
  await server.call(
    'addClient',
    { first_name: 'Cleo', last_name: 'Client', email: invited },
    admin,
  );
  const { body } = await server.call('login', { email: admin.email, password });
  await server.call('sendResetLinkEmail', { email: admin.email });
  const moved = newEmail();
  await server.call(
    'verifyAndUpdateUserDetails',
    { email: moved, current_password: password },
    admin,
  );
  return {
    user_token: body.user_token,
    app_token: body.app_token,
    verification: await server.tokenSentTo(fresh, 'verify your email address'),
    invitation: await server.tokenSentTo(invited, 'invites you'),
    reset: await server.tokenSentTo(admin.email, resetSubject),
    address: await server.tokenSentTo(moved, 'new email address'),
    operator: await makeOperator(server.app.ctx, newEmail()),
  };
}

/** Every row of every table as text, including the job queue. */
async function dumpDatabase(): Promise<string> {
  const { db } = server.app.ctx;
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
    db,
  );
  const dumps = tables.map(async ({ schema, name }) => {
    const { rows } = await sql<{
      row: string;
    }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    return rows.map(({ row }) => row).join('\n');
  });
  expect(tables.map(({ schema }) => schema)).toEqual(expect.arrayContaining(['public', 'jobs']));
  return (await Promise.all(dumps)).join('\n');
}
