import { type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { type Belongings, rows } from './authority-table.ts';
import { askingFor, endow, send } from './callers.ts';
import { arrived } from './cast.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ CHAT_BASE_URL: 'demo' });
});

/** Every call that an admin may make for a client. */
const actedCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { actAs, who }]) => actAs !== 'self' && who !== 'anyone',
);

/** What a person has, by table; what is left out follows from these. */
const ofPerson = [
  'sheets',
  'variables',
  'batches',
  'questions',
  'billing_addresses',
  'credit_accounts',
  'credit_entries',
  'orders',
  'payments',
  'user_plans',
  'client_limits',
];

async function belongingsOf(userId: string): Promise<unknown> {
  const found = await Promise.all(
    ofPerson.map(async (table) => {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(table)} t where user_id = ${userId} order by 1`.execute(world.app.ctx.db);
      return [table, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(found);
}

const entriesAbout = (subjectId: string) =>
  world.app.ctx.db.selectFrom('audit_entries').select(['act', 'actor_id']).where('subject_id', '=', subjectId).execute();

/** The product itself has no right to do this. */
async function asOwner(statement: string): Promise<void> {
  const owner = world.settings.DATABASE_OWNER_URL;
  if (!owner) return void (await sql.raw(statement).execute(world.app.ctx.db));
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function withoutAudit<T>(subjectId: string, act: () => Promise<T>): Promise<T> {
  await asOwner(`create trigger no_entry before insert on audit_entries for each row
    when (new.subject_id = '${subjectId}') execute function refuse_change()`);
  try {
    return await act();
  } finally {
    await asOwner('drop trigger no_entry on audit_entries');
  }
}

type Ask = (own: Belongings) => Record<string, unknown>;

/** Requests that write more than those of the table, which are there to pass the door. */
const further: [words: string, EndpointName, 'sheet' | 'batch' | undefined, Ask][] = [
  ['askChatGpt, a question', 'askChatGpt', undefined, () => ({ question: 'What is baked today?', query: {} })],
  ['askChatGpt, a start', 'askChatGpt', 'sheet', ({ sheet }) => ({ query: { file: sheet, start: true } })],
  ['askChatGpt, a preview', 'askChatGpt', 'sheet', ({ sheet }) => ({ query: { file: sheet, preview: 1 } })],
  ['userBillingAddress, a new one', 'userBillingAddress', undefined, () => ({ billing_address: { city: 'Douglas' } })],
  ['setPlan, the free one', 'setPlan', undefined, () => ({ id: 'free' })],
];

const acted = [
  ...actedCalls.map(([name, endpoint]) => [name, { endpoint, ...rows[name] }] as const),
  ...further.map(([words, name, needs, ask]) => [words, { endpoint: endpoints[name] as Endpoint, needs, ask }] as const),
];

async function pair(needs?: 'sheet' | 'batch') {
  const admin = await arrived(world, { roleId: roles.admin });
  const client = await arrived(world, { adminId: admin.id, submissions: 10 });
  return { admin, client: await endow(world, client, needs) };
}

const writers: string[] = [];

it.each(acted)('%s by an admin for his client: no effect without an entry, which names him', async (words, call) => {
  const { endpoint, needs, ask } = call;
  const { admin, client } = await pair(needs);
  const request = askingFor(endpoint, client, ask(client));
  const before = await belongingsOf(client.id);
  const known = (await entriesAbout(client.id)).length;
  const unwritten = await withoutAudit(client.id, () => send(world, endpoint, request, admin.token));
  expect(await belongingsOf(client.id)).toEqual(before);
  await send(world, endpoint, request, admin.token);
  const entries = (await entriesAbout(client.id)).slice(known);
  if (JSON.stringify(await belongingsOf(client.id)) === JSON.stringify(before)) return expect(entries).toEqual([]);
  writers.push(words);
  expect(unwritten.status).toBe(500);
  expect(entries.length).toBeGreaterThan(0);
  for (const { actor_id } of entries) expect(actor_id).toBe(admin.id);
});

it('is true of what writes', () => {
  expect(writers.sort()).toEqual([
    'askChatGpt, a preview',
    'askChatGpt, a question',
    'askChatGpt, a start',
    'deleteBatch',
    'saveFile',
    'saveVariable',
    'setPlan, the free one',
    'userBillingAddress, a new one',
  ]);
});
