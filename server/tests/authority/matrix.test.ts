import { randomBytes, randomUUID } from 'node:crypto';
import { can, type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { day, hour, minute, second } from '../../src/lib/clock.ts';
import { startTestServer } from '../support/test-server.ts';
import { createSession, createUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';
import { callTable, onlyReads } from './call-table.ts';
import {
  accountSnapshot,
  addBelongings,
  createPeople,
  forgedFields,
  type People,
  send,
  withSubject,
} from './callers.ts';

const server = await startTestServer({ CHAT_BASE_URL: 'demo' });

const calls = Object.entries(endpoints) as [EndpointName, Endpoint][];

interface Kind {
  actor: 'none' | 'garbage' | 'revoked' | 'unverified' | keyof People;
  subject: keyof People;
}

const kinds: Record<string, Kind> = {
  'a stranger without a token': { actor: 'none', subject: 'a' },
  'a stranger with a made-up token': { actor: 'garbage', subject: 'a' },
  'a user whose session was ended': { actor: 'revoked', subject: 'a' },
  'a user with an unverified address': { actor: 'unverified', subject: 'a' },
  'a client for themselves': { actor: 'a', subject: 'a' },
  'a client for another client': { actor: 'a', subject: 'b' },
  'an admin for themselves': { actor: 'x', subject: 'x' },
  'an admin for their own client': { actor: 'x', subject: 'c' },
  'an admin for another admin’s client': { actor: 'x', subject: 'd' },
  'an admin for another admin': { actor: 'x', subject: 'y' },
};

/** With a session of its own where the call may end sessions. */
async function tokenOf(
  kind: Kind,
  people: People,
  keepsSessions: boolean,
): Promise<{ token?: string; id: string }> {
  if (kind.actor === 'none') return { id: '' };
  if (kind.actor === 'garbage') return { id: '', token: randomBytes(32).toString('base64url') };
  if (kind.actor === 'unverified') return createUser(server, { isVerified: false });
  if (kind.actor !== 'revoked') {
    const { id, token } = people[kind.actor];
    return { id, token: keepsSessions ? token : await createSession(server, id) };
  }
  const gone = await createUser(server);
  await server.call('logout', {}, gone);
  return gone;
}

/** The answer according to the contract alone. */
function expected(name: EndpointName, kind: Kind): string {
  const endpoint: Endpoint = endpoints[name];
  const row = callTable[name];
  const withAccess = () => (row.absent ? 'not_found' : 'allowed');
  if (endpoint.who === 'anyone') return withAccess();
  if (['none', 'garbage', 'revoked'].includes(kind.actor)) return 'not_signed_in';
  if (kind.actor === 'unverified')
    return endpoint.who === 'session' ? withAccess() : 'verify_email';
  const role = kind.actor === 'x' ? roles.admin : roles.client;
  if (endpoint.requires && !can(role, endpoint.requires)) return 'not_allowed';
  const isOwn = kind.subject === kind.actor || kind.subject === 'c';
  if (endpoint.actAs !== 'self' && !isOwn) return 'not_found';
  if (row.target && role === roles.admin && kind.subject !== 'c') return 'not_found';
  return withAccess();
}

it('has one row in the table for every call of the contract', () => {
  expect(Object.keys(callTable).sort()).toEqual(Object.keys(endpoints).sort());
});

/** Only operators can make the call, so others are refused before the ids are read. */
const isForOperators = ({ requires }: Endpoint) =>
  requires !== undefined && !can(roles.admin, requires);

const newPeople = (needs?: 'sheet' | 'batch') => createPeople(server, needs);
/** For calls that change nothing. */
const sharedPeople = new Map<string | undefined, Promise<People>>();
function peopleWith(needs?: 'sheet' | 'batch'): Promise<People> {
  const people = sharedPeople.get(needs) ?? createPeople(server, needs);
  sharedPeople.set(needs, people);
  return people;
}

describe.each(calls)('%s', (name, endpoint) => {
  it('answers ten kinds of callers as the contract says', async () => {
    const row = callTable[name];
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    const changesNothing = onlyReads(name) || isForOperators(endpoint);
    const people = await (changesNothing ? peopleWith : newPeople)(row.needs);
    for (const [caller, kind] of Object.entries(kinds)) {
      const { token, id } = await tokenOf(kind, people, changesNothing);
      const self = kind.actor === 'unverified' ? { ...people.a, id } : people[kind.subject];
      const request = withSubject(endpoint, self, row.ask(self));
      found[caller] = (await send(server, endpoint, request, token)).verdict;
      wanted[caller] = expected(name, kind);
      server.clock.advance(10_000);
    }
    expect(found).toEqual(wanted);
  });
});

const idFields = [
  'id',
  'user_id',
  'admin_id',
  'file',
  'order_id',
  'orderId',
  'session_id',
  'hash',
  'creditUser',
  'switchedAs',
  'query',
];

const shapeOf = (endpoint: Endpoint) =>
  Object.keys((endpoint.request as unknown as { shape?: object }).shape ?? {});

/** The request with another value in one field. */
function naming(
  field: string,
  value: string,
  request: Record<string, unknown>,
): Record<string, unknown> {
  if (field === 'switchedAs' || field === 'creditUser')
    return { ...request, [field]: { user_id: value } };
  if (field === 'query')
    return { ...request, query: { ...(request.query as object), file: value } };
  return { ...request, [field]: value };
}

const probed = calls.flatMap(([name, endpoint]) => {
  if (endpoint.who === 'anyone' || isForOperators(endpoint)) return [];
  return shapeOf(endpoint)
    .filter((field) => idFields.includes(field))
    .map((field) => [`${name}: ${field}`, { name, endpoint, field }] as const);
});

/** Plans belong to everyone, and a client's own call of updateCreditCount reads no id. */
const notForeign = ['setPlan: id', 'updateCreditCount: user_id'];

describe.each(probed)('%s', (words, { name, endpoint, field }) => {
  it('answers an id of another user like an unknown id and changes nothing', async () => {
    const row = callTable[name];
    const people = await peopleWith(row.needs);
    server.clock.advance(minute);
    const caller = row.target || endpoint.requires ? people.x : people.a;
    const own = row.target ? people.c : caller;
    const request = row.ask(own);
    const foreign = /user_id|switchedAs|creditUser/.test(field)
      ? people.d.id
      : row.needs === 'batch'
        ? people.d.batch
        : people.d.sheet;
    const before = await countRows();
    const theirs = await send(
      server,
      endpoint,
      naming(field, foreign || people.d.id, request),
      caller.token,
    );
    const absent = await send(server, endpoint, naming(field, randomUUID(), request), caller.token);
    expect(theirs).toEqual(absent);
    if (!notForeign.includes(words)) expect(theirs.status).toBe(404);
    expect(theirs.body).not.toContain(people.d.id);
    for (const malformed of [
      '../../etc/passwd',
      'http://127.0.0.1/',
      '%00',
      "' or 1=1 --",
      'x'.repeat(200),
      'X'.repeat(201),
    ]) {
      const { status } = await send(
        server,
        endpoint,
        naming(field, malformed, request),
        caller.token,
      );
      expect([404, 422, ...(words === 'updateCreditCount: user_id' ? [200] : [])]).toContain(
        status,
      );
    }
    expect(await countRows()).toEqual(before);
  });
});

/** The numbers of rows that calls with an effect would change. */
async function countRows() {
  const { db } = server.app.ctx;
  const count = async (table: 'audit_entries' | 'batches' | 'sheets' | 'credit_entries') =>
    (
      await db
        .selectFrom(table)
        .select(db.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count;
  return [
    await count('audit_entries'),
    await count('batches'),
    await count('sheets'),
    await count('credit_entries'),
  ];
}

describe('undeclared fields', () => {
  it.each(calls.filter(([, endpoint]) => !isForOperators(endpoint)))(
    'change no user in %s',
    async (name, endpoint) => {
      const row = callTable[name];
      const admin = await createUser(server, { roleId: roles.admin, submissions: 10 });
      const client = await createUser(server, { adminId: admin.id, submissions: 10 });
      const caller = row.target || endpoint.requires ? admin : client;
      const own = await addBelongings(server, row.target ? client : caller, row.needs);
      const before = {
        caller: await accountSnapshot(server, caller),
        client: await accountSnapshot(server, client),
      };
      const request = row.ask(own);
      const credits = name === 'addClient' ? { credits: 0 } : {};
      await send(server, endpoint, { ...forgedFields, ...request, ...credits }, caller.token);
      const after = {
        caller: await accountSnapshot(server, caller),
        client: await accountSnapshot(server, client),
      };
      const given = name === 'updateCreditCount' ? 1 : 0;
      for (const who of ['caller', 'client'] as const) {
        // Calls of the person themselves may change these.
        const changeable = { available: null, reserved: null, email: null };
        expect({ ...after[who], ...changeable }).toEqual({ ...before[who], ...changeable });
        expect(after[who].available).toBeLessThanOrEqual((before[who].available ?? 0) + given);
      }
      if (typeof request.email !== 'string') return;
      const made = await server.app.ctx.db
        .selectFrom('users')
        .selectAll()
        .where('email', '=', request.email)
        .executeTakeFirst();
      expect(made?.role_id ?? 1).toBe(1);
      expect(made?.email_verified_at ?? null).toBeNull();
    },
  );
});

describe('an email link', () => {
  it('is not found by a thousand guesses', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 10; round++) {
      server.clock.advance(hour + second);
      for (let group = 0; group < 5; group++) {
        const guesses = Array.from({ length: 20 }, () => ({
          hash: randomBytes(32).toString('base64url'),
        }));
        const answers = await Promise.all(
          guesses.map((guess) => retryWhileBusy(() => server.call('openEmailLink', guess))),
        );
        for (const { status } of answers) statuses.add(status);
      }
    }
    expect([...statuses]).toEqual([404]);
  });

  it('never shadows a call of the same path', async () => {
    const single = calls.filter(([, { path }]) => /^\/api\/\w+$/.test(path));
    expect(single.length).toBeGreaterThan(20);
    for (const [name, endpoint] of single) {
      const { body, status } = await send(server, endpoint, {}, undefined);
      if (endpoint.who === 'anyone') expect(status, name).not.toBe(404);
      else expect(JSON.parse(body).code, name).toBe('not_signed_in');
    }
  });

  it('works for its one purpose until it is used or expires', async () => {
    server.clock.advance(2 * hour);
    const admin = await createUser(server, { roleId: roles.admin });
    const email = `${randomUUID()}@example.test`;
    await server.call('addClient', { first_name: 'Cleo', last_name: 'Client', email }, admin);
    const hash = await server.tokenSentTo(email, 'invites you');
    expect(hash.length).toBeGreaterThanOrEqual(43);
    expect((await server.call('openEmailLink', { hash })).body.purpose).toBe('invitation');
    expect((await server.call('verifyLink', { token: hash })).body.code).toBe('link_invalid');
    await server.call('resetPassword', { token: hash, password: 'slow harbour 16 copper' });
    const used = await send(server, endpoints.openEmailLink, { hash }, undefined);
    const late = `${randomUUID()}@example.test`;
    await server.call('addClient', { first_name: 'Lee', last_name: 'Late', email: late }, admin);
    const expired = await server.tokenSentTo(late, 'invites you');
    server.clock.advance(8 * day);
    const never = await send(
      server,
      endpoints.openEmailLink,
      { hash: randomBytes(32).toString('base64url') },
      undefined,
    );
    expect(never.status).toBe(404);
    expect(used).toEqual(never);
    expect(await send(server, endpoints.openEmailLink, { hash: expired }, undefined)).toEqual(
      never,
    );
  });
});
