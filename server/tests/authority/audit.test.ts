import { type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startChat } from '../support/chat.ts';
import { pack, startPaymentServer } from '../support/payment-server.ts';
import { createUser } from '../support/users.ts';
import { auditEntriesOf, withFailingAudit } from './audit-proof.ts';
import { type Belongings, callTable } from './call-table.ts';
import { send, withSubject } from './callers.ts';
import { prepareStage, type Stage } from './stages.ts';

const { chat, settings } = await startChat();
const server = await startPaymentServer({ ...settings, LOG_LEVEL: 'silent' });
// The calls themselves ask the provider for its state.
server.stripe.sender.isMute = true;

/** Every call that an admin may make for a client. */
const actedCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { actAs, who }]) => actAs !== 'self' && who !== 'anyone',
);

/** The tables of a user's rows. Other tables follow from these. */
const userTables = [
  'sheets',
  'variables',
  'batches',
  'single_prompts',
  'billing_addresses',
  'credit_accounts',
  'credit_entries',
  'orders',
  'payments',
  'user_plans',
  'client_limits',
];

/** Times of payment checks, and what the last download changed: not actions of a person. */
async function rowsOf(userId: string): Promise<unknown> {
  const found = await Promise.all(
    userTables.map(async (table) => {
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(t) - '{checked_at,file_apostrophes,file_replaced}'::text[])::text as row from ${sql.table(table)} t where user_id = ${userId} order by 1`.execute(
        server.app.ctx.db,
      );
      return [table, rows.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(found);
}

interface Case {
  words: string;
  name: EndpointName;
  needs?: Stage;
  ask: (own: Belongings & { order: string }) => Record<string, unknown>;
}

const ofPack = { id: pack, quantity: 1 };
const idOf: Case['ask'] = ({ batch: id }) => ({ id });
const orderOf: Case['ask'] = ({ order: order_id }) => ({ order_id });
const act = (name: EndpointName, words: string, ask: Case['ask'], needs?: Stage): Case => ({
  name,
  words,
  ask,
  needs,
});

/** Replaces requests of the call table that write too little: that table only tests access. */
const further: Case[] = [
  act('askChatGpt', 'a single prompt', () => ({ question: 'What is baked today?', query: {} })),
  act('askChatGpt', 'a start', ({ sheet }) => ({ query: { file: sheet, start: true } }), 'sheet'),
  act('askChatGpt', 'a preview', ({ sheet }) => ({ query: { file: sheet, preview: 1 } }), 'sheet'),
  act('playOrPause', 'a pause', ({ batch: id }) => ({ id, status: 'pause' }), 'running'),
  act('playOrPause', 'a resume', ({ batch: id }) => ({ id, status: 'play' }), 'paused'),
  act('stopFileProcessing', 'while it runs', idOf, 'running'),
  act('stopFileProcessing', 'while it is paused', idOf, 'paused'),
  act('retryFailed', 'of a failed row', idOf, 'failed'),
  act('changeBatchOptions', 'paused', ({ batch: id }) => ({ id, temperature: 0.5 }), 'paused'),
  act('renameBatch', 'to another name', ({ batch: id }) => ({ id, name: 'other.csv' }), 'failed'),
  act('userBillingAddress', 'a new address', () => ({ billing_address: { city: 'Douglas' } })),
  act('setPlan', 'the free plan', () => ({ id: 'free' })),
  act('createOrder', 'of packs', () => ({ type: 'credits', items: [ofPack] })),
  act('stripeCreditIntent', 'of packs', () => ({ plan: [ofPack] })),
  act('resumePayment', 'of a lapsed payment', orderOf, 'lapsed'),
  act('confirmPayment', 'of a paid order', orderOf, 'paid'),
  act('buyCredits', 'of a paid order', orderOf, 'paid'),
];

/** Every other call must be seen writing below. */
const onlyReads = (name: EndpointName) =>
  /^(get|list|download)/.test(name) || ['events', 'recentQuestions'].includes(name);

const cases: Case[] = [
  ...actedCalls.map(([name]) => ({ words: 'as in the call table', name, ...callTable[name] })),
  ...further,
];

/**
 * Judging takes a key for each answer, so only an admin's judgements of a client's answers have
 * entries. Arranging columns changes nothing but a picture.
 */
const unrecorded: Record<(typeof callers)[number], EndpointName[]> = {
  admin: ['changeSheetView'],
  client: ['changeSheetView', 'judgeAnswers'],
};

/** An admin for their client, and the client. */
const callers = ['admin', 'client'] as const;

describe.each(callers)('the %s', (by) => {
  const writing = new Set<EndpointName>();

  it.each(cases.filter(({ name }) => !unrecorded[by].includes(name)))(
    'cannot make the call $name ($words) without an audit entry that names the caller',
    async (one) => {
      const { name, needs, ask } = one;
      const endpoint: Endpoint = endpoints[name];
      const admin = await createUser(server, { roleId: roles.admin });
      const person = await createUser(server, { adminId: admin.id, submissions: 10 });
      const caller = { admin, client: person }[by];
      const client = await prepareStage(needs, { server, chat, buyer: caller, client: person });
      const request = withSubject(endpoint, client, ask(client));
      const before = await rowsOf(client.id);
      const known = (await auditEntriesOf(server, [client.id])).length;
      const withoutEntry = await withFailingAudit(server, [client.id], () =>
        send(server, endpoint, request, caller.token),
      );
      expect(await rowsOf(client.id)).toEqual(before);
      const withEntry = await send(server, endpoint, request, caller.token);
      const entries = (await auditEntriesOf(server, [client.id])).slice(known);
      if (JSON.stringify(await rowsOf(client.id)) === JSON.stringify(before))
        return expect(entries).toEqual([]);
      writing.add(name);
      expect([withoutEntry.status, withEntry.status]).toEqual([500, 200]);
      expect(entries.length).toBeGreaterThan(0);
      for (const { actor_id } of entries) expect(actor_id).toBe(caller.id);
    },
  );

  it('has a test in every call for a client that does not only read', () => {
    const others = actedCalls.map(([name]) => name).filter((name) => !onlyReads(name));
    expect([...writing, ...unrecorded[by]].sort()).toEqual(others.sort());
  });
});
