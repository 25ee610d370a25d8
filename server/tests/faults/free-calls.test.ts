import { randomUUID } from 'node:crypto';
import { can, type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { callTable } from '../authority/call-table.ts';
import { whenEnded } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { pack, startPaymentServer } from '../support/payment-server.ts';
import { createSession, createUser, newEmail, password, type TestUser } from '../support/users.ts';

/** What people without submissions, a verified address or an account may store. */
const { chat, settings } = await startChat();
const server = await startPaymentServer({ ...settings, STORAGE_QUOTA_MB: '1' });
const { db } = server.app.ctx;
const poor = await createUser(server);
const admin = await createUser(server, { roleId: roles.admin, submissions: 100 });
const operator = await createUser(server, { roleId: roles.operator });
const unverified = await createUser(server, { isVerified: false });
const clientOfAdmin = await createUser(server, { adminId: admin.id });
const sheetFor = async (person: TestUser, csv = 'Prompt\none\n') =>
  (await server.upload(csv, person)).body.file.id;
const sheet = await sheetFor(poor);
const blank = await sheetFor(poor, 'a,b\n , \n , \n');

beforeEach(async () => {
  await db.deleteFrom('rate_limits').execute();
});

/** Nothing here is deleted before weeks have passed, or ever. */
const kept = [
  ...['users', 'audit_entries', 'credit_entries', 'orders', 'payments', 'sheets', 'batches'],
  ...['single_prompts', 'idempotency_keys', 'jobs.job'],
];

async function countKept(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of kept) {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n
      from ${sql.table(table)}`.execute(db);
    counts[table] = rows[0]?.n ?? 0;
  }
  return counts;
}

interface Call {
  name: EndpointName;
  request: () => Record<string, unknown>;
  person?: TestUser;
}

async function send({ name, request, person }: Call): Promise<number> {
  const headers = { 'idempotency-key': randomUUID() };
  if (endpoints[name].path === endpoints.saveFile.path)
    return (await server.upload('a\n1\n', person ?? poor)).status;
  const response = await server.download(name, request() as never, { ...person, headers });
  await (name === 'events' ? response.body?.cancel() : response.arrayBuffer());
  return response.status;
}

/** The person of the table who may make the call and has least. */
function callersOf(name: EndpointName): (TestUser | undefined)[] {
  const { who, requires }: Endpoint = endpoints[name];
  if (who === 'anyone') return [undefined];
  if (callTable[name].target) return [admin];
  const person = [poor, admin, operator].find((_, role) => !requires || can(role + 1, requires));
  return who === 'session' ? [person, unverified] : [person];
}

/** These end what the other calls need. */
const ending: readonly EndpointName[] = [
  ...(['logout', 'deleteFile', 'deleteBatch', 'setSuspended', 'setRole'] as const),
];

const own = { id: clientOfAdmin.id, sheet, batch: randomUUID() };
const walked: Call[] = (Object.keys(endpoints) as EndpointName[])
  .filter((name) => !ending.includes(name))
  .flatMap((name) =>
    callersOf(name).map((person) => ({
      name,
      request: () => callTable[name].ask(own),
      ...(person ? { person } : {}),
    })),
  );
const free: Call[] = [
  { name: 'userBillingAddress', request: () => ({ billing_address: { city: 'Douglas' } }) },
  { name: 'setPlan', request: () => ({ id: 'free' }) },
  { name: 'createOrder', request: () => ({ type: 'credits', items: [{ id: pack, quantity: 1 }] }) },
  { name: 'stripeCreditIntent', request: () => ({ plan: [{ id: pack, quantity: 1 }] }) },
  { name: 'askChatGpt', request: () => ({ question: 'Why?', query: {} }) },
  {
    name: 'askChatGpt',
    request: () => ({ questionWithVariable: '{{Prompt}}', query: { file: sheet, preview: 1 } }),
  },
  {
    name: 'askChatGpt',
    request: () => ({ questionWithVariable: '{{a}}', query: { file: blank, start: true } }),
  },
].map((call) => ({ ...call, person: poor })) as Call[];

it('every call that stores something for free is refused after some number of them', async () => {
  const storing: string[] = [];
  const unlimited: string[] = [];
  for (const call of [...walked, ...free]) {
    server.clock.advance(60_000);
    await db.deleteFrom('rate_limits').execute();
    const before = await countKept();
    await send(call);
    const after = await countKept();
    const grown = kept.filter((table) => (after[table] ?? 0) > (before[table] ?? 0));
    if (grown.length === 0) continue;
    storing.push(call.name);
    await db.updateTable('rate_limits').set({ attempts: 1_000_000 }).execute();
    const status = await send(call);
    if (status !== 429) unlimited.push(`${call.name}: ${status}, ${grown.join(', ')}`);
  }
  expect(unlimited).toEqual([]);
  expect(storing).toEqual(
    expect.arrayContaining([
      ...['registerUser', 'sendResetLinkEmail', 'saveVariable', 'userBillingAddress', 'setPlan'],
      ...['createOrder', 'stripeCreditIntent', 'saveFile', 'reviseFile', 'askChatGpt', 'addClient'],
    ]),
  );
});

describe('the answer of a request with a key', () => {
  const keysOf = ({ id }: TestUser) =>
    db.selectFrom('idempotency_keys').select('key').where('user_id', '=', id).execute();
  const ask = (query: object, key: string, person: TestUser) =>
    server.ask({ questionWithVariable: '{{Prompt}}', query } as never, {
      ...person,
      headers: { 'idempotency-key': key },
    });

  it('is not stored for quotes and previews, which act once anyway', async () => {
    const person = await createUser(server, { submissions: 5 });
    const file = await sheetFor(person);
    const calls = chat.calls.length;
    expect((await ask({ file, quote: true }, 'quote', person)).status).toBe(200);
    for (let time = 0; time < 2; time++)
      expect((await ask({ file, preview: 1 }, 'preview', person)).status).toBe(200);
    expect(await keysOf(person)).toEqual([]);
    expect(chat.calls.length).toBe(calls + 1);
    expect(await server.balance(person)).toBe(4);
    await ask({ file, start: true }, 'start', person);
    expect(await keysOf(person)).toEqual([{ key: 'start' }]);
  });
});

describe('what a person stores', () => {
  it('counts with its prompts, and with a minimum of its own however small it is', async () => {
    const person = await createUser(server);
    const used = async () => (await server.call('listFiles', {}, person)).body.storage.used_bytes;
    const file = await sheetFor(person, 'a\n \n');
    const empty = await used();
    expect(empty).toBeGreaterThan(16_000);
    const start = async (text: string) => {
      const request = { questionWithVariable: `{{a}}${text}`, query: { file, start: true } };
      return (await server.ask(request, person)).body;
    };
    // Random, because the database compresses what repeats.
    const long = () => Array.from({ length: 2_700 }, () => randomUUID()).join(' ');
    await start(long());
    expect(await used()).toBeGreaterThan(empty + 50_000);
    let refusal: Awaited<ReturnType<typeof start>>;
    do refusal = await start(long());
    while (refusal.status);
    expect(refusal).toMatchObject({ code: 'storage_full' });
    expect(await used()).toBeLessThan(1_200_000);
  });

  it('goes from the history of prompts with its batch', async () => {
    const person = await createUser(server);
    const file = await sheetFor(person, 'a\n \n');
    const request = { questionWithVariable: '{{a}} gone', query: { file, start: true } };
    const id = (await server.ask(request, person)).body.batch?.id ?? '';
    await whenEnded(server, person, id);
    const asked = async () => (await server.call('recentQuestions', {}, person)).body.questions;
    expect(await asked()).toHaveLength(1);
    expect((await server.call('deleteBatch', { id }, person)).status).toBe(200);
    expect(await asked()).toEqual([]);
  });
});

describe('sign-ins', () => {
  it('of one person leave a hundred sessions, the latest used', async () => {
    const person = await createUser(server);
    for (let time = 0; time < 99; time++) {
      server.clock.advance(1_000);
      const { status } = await server.call('fetchUserDetail', {}, person);
      expect(status).toBe(200);
      await createSession(server, person.id);
    }
    const sessions = () =>
      db.selectFrom('sessions').select('id').where('user_id', '=', person.id).execute();
    expect(await sessions()).toHaveLength(100);
    const { body } = await server.call('login', { email: person.email, password });
    expect(await sessions()).toHaveLength(100);
    expect((await server.call('getAvailableCredits', {}, { token: body.user_token })).status).toBe(
      200,
    );
  });

  it('that succeed leave no count of attempts', async () => {
    const { email } = await createUser(server);
    expect((await server.call('login', { email, password })).status).toBe(200);
    const left = db.selectFrom('rate_limits').select('key').where('key', 'not like', '%-lately:%');
    expect((await left.where('key', 'not like', 'sign-in-all:%').execute()).length).toBe(0);
  });

  it('of a network that has used up its tries store nothing for the addresses it tries', async () => {
    await server.call('login', { email: newEmail(), password });
    await db.updateTable('rate_limits').set({ attempts: 1_000_000 }).execute();
    const count = async () => (await db.selectFrom('rate_limits').select('key').execute()).length;
    const before = await count();
    for (let time = 0; time < 5; time++)
      expect((await server.call('login', { email: newEmail(), password })).status).toBe(429);
    expect(await count()).toBe(before);
  });
});
