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

/** Replaces requests of the call table that write too little: that table only tests access. */
const further: Case[] = [
  {
    words: 'a single prompt',
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
    words: 'a resume',
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
    words: 'while it is paused',
    name: 'changeBatchOptions',
    needs: 'paused',
    ask: ({ batch }) => ({ id: batch, temperature: 0.5 }),
  },
  {
    words: 'to another name',
    name: 'renameBatch',
    needs: 'failed',
    ask: ({ batch }) => ({ id: batch, name: 'other.csv' }),
  },
  {
    words: 'a new address',
    name: 'userBillingAddress',
    ask: () => ({ billing_address: { city: 'Douglas' } }),
  },
  { words: 'the free plan', name: 'setPlan', ask: () => ({ id: 'free' }) },
  { words: 'of packs', name: 'createOrder', ask: () => ({ type: 'credits', items: [ofPack] }) },
  { words: 'of packs', name: 'stripeCreditIntent', ask: () => ({ plan: [ofPack] }) },
  {
    words: 'of a lapsed payment',
    name: 'resumePayment',
    needs: 'lapsed',
    ask: ({ order }) => ({ order_id: order }),
  },
  {
    words: 'of a paid order',
    name: 'confirmPayment',
    needs: 'paid',
    ask: ({ order }) => ({ order_id: order }),
  },
  {
    words: 'of a paid order',
    name: 'buyCredits',
    needs: 'paid',
    ask: ({ order }) => ({ order_id: order }),
  },
];

/** Calls that only read. Every other call must be seen writing below. */
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
  'getSheetView',
  'getUsage',
  'getUserPlan',
  'getVariables',
  'listFiles',
  'recentQuestions',
];

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
    expect([...writing, ...reading, ...unrecorded[by]].sort()).toEqual(
      actedCalls.map(([name]) => name).sort(),
    );
  });
});
