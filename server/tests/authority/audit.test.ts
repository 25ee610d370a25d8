import { type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { type PaymentServer, pack, startPaymentServer } from '../support/payment-server.ts';
import { createUser } from '../support/users.ts';
import { entriesOf, withoutAudit } from './audit-proof.ts';
import { type Belongings, rows } from './call-table.ts';
import { askingFor, send } from './callers.ts';
import { bringTo, type Stage } from './stages.ts';

let server: PaymentServer;
let chat: FakeChat;
beforeAll(async () => {
  chat = await startFakeChat();
  server = await startPaymentServer({
    CHAT_BASE_URL: chat.url,
    CHAT_MODEL: 'fake',
    LOG_LEVEL: 'silent',
  });
  // What happens at the provider is found out by the calls themselves.
  server.stripe.sender.isMute = true;
  return () => chat.close();
});

/** Every call that an admin may make for a client, and the client himself. */
const actedCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { actAs, who }]) => actAs !== 'self' && who !== 'anyone',
);

/** What a person has, by table; what is left out follows from these. When a provider was last asked is nobody's act. */
const ofPerson = [
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

async function belongingsOf(userId: string): Promise<unknown> {
  const found = await Promise.all(
    ofPerson.map(async (table) => {
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(t) - 'checked_at')::text as row from ${sql.table(table)} t where user_id = ${userId} order by 1`.execute(
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
  needs?: Stage | undefined;
  ask: (own: Belongings & { order: string }) => Record<string, unknown>;
}

const ofPack = { id: pack, quantity: 1 };

/** Requests that write more than those of the table, which are there to pass the door. */
const further: Case[] = [
  {
    words: 'a question',
    name: 'askChatGpt',
    ask: () => ({ question: 'What is baked today?', query: {} }),
  },
  {
    words: 'a start',
    name: 'askChatGpt',
    needs: 'sheet',
    ask: ({ sheet }) => ({ query: { file: sheet, start: true } }),
  },
  {
    words: 'a preview',
    name: 'askChatGpt',
    needs: 'sheet',
    ask: ({ sheet }) => ({ query: { file: sheet, preview: 1 } }),
  },
  {
    words: 'a pause',
    name: 'playOrPause',
    needs: 'running',
    ask: ({ batch }) => ({ id: batch, status: 'pause' }),
  },
  {
    words: 'a play',
    name: 'playOrPause',
    needs: 'paused',
    ask: ({ batch }) => ({ id: batch, status: 'play' }),
  },
  {
    words: 'while it runs',
    name: 'stopFileProcessing',
    needs: 'running',
    ask: ({ batch }) => ({ id: batch }),
  },
  {
    words: 'while it is paused',
    name: 'stopFileProcessing',
    needs: 'paused',
    ask: ({ batch }) => ({ id: batch }),
  },
  {
    words: 'of a failed row',
    name: 'retryFailed',
    needs: 'failed',
    ask: ({ batch }) => ({ id: batch }),
  },
  {
    words: 'a new one',
    name: 'userBillingAddress',
    ask: () => ({ billing_address: { city: 'Douglas' } }),
  },
  { words: 'the free one', name: 'setPlan', ask: () => ({ id: 'free' }) },
  { words: 'of packs', name: 'createOrder', ask: () => ({ type: 'credits', items: [ofPack] }) },
  { words: 'of packs', name: 'stripeCreditIntent', ask: () => ({ plan: [ofPack] }) },
  {
    words: 'of what the provider gave up',
    name: 'resumePayment',
    needs: 'given up',
    ask: ({ order }) => ({ order_id: order }),
  },
  {
    words: 'of what is paid',
    name: 'confirmPayment',
    needs: 'paid',
    ask: ({ order }) => ({ order_id: order }),
  },
  {
    words: 'of what is paid',
    name: 'buyCredits',
    needs: 'paid',
    ask: ({ order }) => ({ order_id: order }),
  },
];

/** What only reads. Every other call that can be made for a client must be seen writing below, so a new one needs a request that does. */
const reading: EndpointName[] = [
  'downloadChatGptResponse',
  'downloadUploadedCsv',
  'events',
  'getActivity',
  'getAvailableCredits',
  'getBatch',
  'getFile',
  'getInvoice',
  'getOrderDetails',
  'getOrders',
  'getPaymentStatus',
  'getPayments',
  'getProcessedFiles',
  'getQuestionsAsked',
  'getRows',
  'getUserPlan',
  'getVariables',
  'recentQuestions',
];

const cases: Case[] = [
  ...actedCalls.map(([name]) => ({ words: 'as in the table', name, ...rows[name] })),
  ...further,
];

/** An admin for his client, and the client for himself. */
const callers = ['admin', 'client'] as const;

describe.each(callers)('by the %s', (by) => {
  const writing = new Set<EndpointName>();

  it.each(cases)('$name, $words: no effect without an entry, which names him', async (one) => {
    const { name, needs, ask } = one;
    const endpoint: Endpoint = endpoints[name];
    const admin = await createUser(server, { roleId: roles.admin });
    const person = await createUser(server, { adminId: admin.id, submissions: 10 });
    const caller = { admin, client: person }[by];
    const client = await bringTo(needs, { server: server, chat, buyer: caller, client: person });
    const request = askingFor(endpoint, client, ask(client));
    const before = await belongingsOf(client.id);
    const known = (await entriesOf(server, [client.id])).length;
    const unwritten = await withoutAudit(server, [client.id], () =>
      send(server, endpoint, request, caller.token),
    );
    expect(await belongingsOf(client.id)).toEqual(before);
    const written = await send(server, endpoint, request, caller.token);
    const entries = (await entriesOf(server, [client.id])).slice(known);
    if (JSON.stringify(await belongingsOf(client.id)) === JSON.stringify(before))
      return expect(entries).toEqual([]);
    writing.add(name);
    expect([unwritten.status, written.status]).toEqual([500, 200]);
    expect(entries.length).toBeGreaterThan(0);
    for (const { actor_id } of entries) expect(actor_id).toBe(caller.id);
  });

  it('is seen of every call that can be made for a client and that does not only read', () => {
    expect([...writing, ...reading].sort()).toEqual(actedCalls.map(([name]) => name).sort());
  });
});
