import {
  type AnswerOf,
  type Batch,
  type endpoints,
  type RefusalBody,
  type RequestOf,
  roles,
} from '@rowmill/contract';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { createBatch } from '../../src/domains/batches/lifecycle/create.ts';
import { releaseCredits } from '../../src/domains/batches/lifecycle/reserve-credits.ts';
import { planBatch } from '../../src/domains/batches/quote/plan.ts';
import { lockBatch } from '../../src/domains/batches/store/batches.ts';
import { askSinglePrompt } from '../../src/domains/prompts/single-prompts.ts';
import { ServiceUnavailable } from '../../src/lib/unavailable.ts';
import { when, whenEnded } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { isPostgres } from '../support/databases.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { busyFor } from '../support/statements.ts';
import { startTestServer } from '../support/test-server.ts';
import { actingOf, as, createUser, type TestUser } from '../support/users.ts';
import { retryWhileBusy, until } from '../support/waiting.ts';

const { chat, settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '8' });

/** The ledger checks pass after every test. */
afterEach(() => expectLedgerChecksToPass(server));

type Ask = RequestOf<(typeof endpoints)['askChatGpt']>;
type Asked = {
  status: number;
  body: AnswerOf<(typeof endpoints)['askChatGpt']> & Partial<RefusalBody>;
};

const personWith = (submissions: number) => createUser(server, { submissions });

async function sheetOf(person: TestUser, rows: number, cell = 'text'): Promise<string> {
  const csv = `Text\n${Array.from({ length: rows }, (_, row) => `${cell} ${row}`).join('\n')}\n`;
  return (await server.upload(csv, person)).body.file.id;
}

const ask = (person: TestUser, request: Ask, key?: string): Promise<Asked> =>
  retryWhileBusy(() =>
    server.ask(request, {
      token: person.token,
      headers: key ? { 'idempotency-key': key } : {},
    }),
  );
const start = (person: TestUser, file: string, question: string, key?: string) =>
  ask(person, { questionWithVariable: question, query: { file, start: true } }, key);
const readAccount = (person: TestUser) =>
  server.app.ctx.db
    .selectFrom('credit_accounts')
    .selectAll()
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow();
/** Many requests at once may use all connections for a moment. */
async function account(person: TestUser): ReturnType<typeof readAccount> {
  return readAccount(person).catch((error: Error) => {
    if (error.message.includes('timeout exceeded')) return account(person);
    throw error;
  });
}
const codesOf = (answers: Asked[]) =>
  Object.groupBy(answers, ({ status, body }) => body.code ?? `${status}`);

/** Samples the buckets while this work is done. */
async function watching<T>(
  person: TestUser,
  work: Promise<T>,
): Promise<{ result: T; snapshots: { available: number; used: number }[] }> {
  const snapshots: { available: number; used: number }[] = [];
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      const { available, reserved, spent } = await account(person);
      snapshots.push({ available, used: reserved + spent });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const result = await work.finally(() => {
    isDone = true;
  });
  await watch;
  return { result, snapshots };
}

async function readyBatches(person: TestUser, file: string, count: number): Promise<string[]> {
  const { ctx } = server.app;
  const acting = actingOf(person);
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const plan = await planBatch(ctx, acting, {
      questionWithVariable: `${number}: {{Text}}`,
      query: { file },
    });
    ids.push((await createBatch(ctx, acting, { ...plan, most: 1 })).id);
  }
  return ids;
}

describe('fifty batches of a hundred rows, and a thousand submissions', () => {
  it('run ten when their owner and an admin each resume all of them at once', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const person = await createUser(server, { submissions: 1_000, adminId: admin.id });
    const ids = await readyBatches(person, await sheetOf(person, 100), 50);
    const play = (id: string, by: TestUser) =>
      retryWhileBusy(() => server.call('playOrPause', { id, status: 'play', ...as(person) }, by));
    const plays = ids.flatMap((id) => [play(id, admin), play(id, person)]);
    const { result, snapshots } = await watching(person, Promise.all(plays));
    expect(
      snapshots.filter(({ available, used }) => available < 0 || available + used !== 1_000),
    ).toEqual([]);
    const running = new Set(
      result.filter(({ status }) => status === 200).map(({ body }) => body.batch.id),
    );
    expect(running.size).toBe(10);
    const refused = result.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(new Set(refused).difference(new Set(['insufficient_credits', 'not_now']))).toEqual(
      new Set(),
    );
    expect(await account(person)).toMatchObject({ available: 0 });
    for (const id of running)
      expect(await whenEnded(server, person, id)).toMatchObject({
        state: 'completed',
        charged: 100,
      });
    expect(await account(person)).toMatchObject({ available: 0, reserved: 0, spent: 1_000 });
  });

  it('run ten when they are started a hundred times at once', async () => {
    const person = await personWith(1_000);
    const file = await sheetOf(person, 100);
    const starts = Array.from({ length: 100 }, (_, number) =>
      start(person, file, `${number % 50}: {{Text}}`),
    );
    const { result, snapshots } = await watching(person, Promise.all(starts));
    expect(
      snapshots.filter(({ available, used }) => available < 0 || available + used !== 1_000),
    ).toEqual([]);
    const codes = codesOf(result);
    expect([codes['200']?.length, codes.insufficient_credits?.length]).toEqual([10, 90]);
    for (const { body } of codes['200'] ?? [])
      await whenEnded(server, person, body.batch?.id ?? '');
    expect(await account(person)).toMatchObject({ available: 0, reserved: 0, spent: 1_000 });
  });
});

describe('two hundred simultaneous prompts', () => {
  it('never spend more than the balance: fifty are answered', async () => {
    const poor = await personWith(50);
    const calls = chat.calls.length;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ask(poor, { question: `Poor ${index}`, query: {} }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.code === 'insufficient_credits')).toHaveLength(150);
    expect(chat.calls.length).toBe(calls + 50);
  });
});

describe('a prompt that the database is too busy for', () => {
  it('does not count towards the rate limit, so it can be repeated', async () => {
    const person = await personWith(5);
    const acting = actingOf(person);
    const busy = busyFor(server.app.ctx, 'InsertQueryNode', 'single_prompts');
    const attempts = async () => {
      const limits = server.app.ctx.db.selectFrom('rate_limits').select(['key', 'attempts']);
      const found = await limits.where('key', 'like', 'question%').execute();
      return found.reduce((sum, { attempts }) => sum + attempts, 0);
    };
    const before = await attempts();
    for (let time = 0; time < 3; time++)
      await expect(askSinglePrompt(busy, acting, { question: 'Why?' })).rejects.toThrow(
        'No connection',
      );
    expect(await attempts()).toBe(before);
    await askSinglePrompt(server.app.ctx, acting, { question: 'Why?' });
    expect(await attempts()).toBe(before + 1);
  });
});

describe('an invalid amount', () => {
  const invalid = [-1, 1.5, Number.NaN, '1e9', '7', 2 ** 53, 1e308, true, [], {}, [1]];

  it('is refused by every call with an amount and moves nothing', async () => {
    const admin = await createUser(server, { roleId: 2, submissions: 100 });
    const file = await sheetOf(admin, 3);
    const entries = () =>
      server.app.ctx.db
        .selectFrom('credit_entries')
        .select('id')
        .where('user_id', '=', admin.id)
        .execute();
    const before = (await entries()).length;
    const names = { first_name: 'A', last_name: 'B' };
    const statuses = new Map<string, number>();
    const send = async (
      what: string,
      name: 'addClient' | 'askChatGpt' | 'updateCreditCount',
      request: object,
    ) => statuses.set(what, (await server.call(name, request as never, admin)).status);
    for (const [at, amount] of invalid.entries()) {
      const label = `${at}: ${JSON.stringify(amount)}`;
      await send(`credits ${label}`, 'addClient', {
        ...names,
        email: `odd-${at}@example.test`,
        credits: amount,
      });
      await send(`limit ${label}`, 'askChatGpt', {
        questionWithVariable: '{{Text}}',
        query: { file, start: true, limit: amount },
      });
      await send(`preview ${label}`, 'askChatGpt', {
        questionWithVariable: '{{Text}}',
        query: { file, preview: amount },
      });
      await send(`row ${label}`, 'askChatGpt', {
        questionWithVariable: '{{Text}}',
        query: { file, start: true, rows: [amount] },
      });
      if (amount === -1) continue;
      await send(`change ${label}`, 'updateCreditCount', {
        user_id: admin.id,
        change: amount,
        reason: 'invalid',
      });
    }
    const many = Array.from({ length: 10_001 }, () => 0);
    await send('many rows', 'askChatGpt', {
      questionWithVariable: '{{Text}}',
      query: { file, start: true, rows: many },
    });
    await send('change 0', 'updateCreditCount', { user_id: admin.id, change: 0, reason: 'none' });
    await send('no rows', 'askChatGpt', {
      questionWithVariable: '{{Text}}',
      query: { file, start: true, rows: [] },
    });
    for (const name of ['limit', 'preview'])
      await send(`${name} 0`, 'askChatGpt', {
        questionWithVariable: '{{Text}}',
        query: { file, start: true, [name]: 0 },
      });
    expect([...statuses].filter(([, status]) => status !== 422)).toEqual([]);
    expect(await entries()).toHaveLength(before);
  });
});

describe('two transactions that wait for each other', () => {
  it.runIf(isPostgres)('end with 503 for one, which can be repeated', async () => {
    const { db } = server.app.ctx;
    const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = (own: number, other: number) =>
      db.transaction().execute(async (db) => {
        await sql`select pg_advisory_xact_lock(${own})`.execute(db);
        locked[own]?.resolve();
        await locked[other]?.promise;
        await sql`select pg_advisory_xact_lock(${other})`.execute(db);
      });
    const ends = await Promise.allSettled([lock(0, 1), lock(1, 0)]);
    const failed = ends.filter((end) => end.status === 'rejected');
    expect(failed).toEqual([{ status: 'rejected', reason: expect.any(ServiceUnavailable) }]);
  });
});

describe('a batch', () => {
  it('whose reservation is too small pauses until it is played, and loses no row', async () => {
    const person = await personWith(10);
    const { body } = await start(person, await sheetOf(person, 3, '[[held]]'), '{{Text}}');
    const id = body.batch?.id ?? '';
    await until(() => chat.inFlight === 3);
    await inTransaction(server.app.ctx, async (ctx) => {
      const batch = await lockBatch(ctx.db, id);
      if (batch) await releaseCredits(ctx, batch);
    });
    const test = (batch: Batch) => {
      chat.releaseHeld();
      return batch.state === 'paused' || batch.state === 'completed';
    };
    expect(await when(server, { user: person, id, test })).toMatchObject({
      ...{ state: 'paused', pause_reason: 'needs_credits', answered: 0, charged: 0 },
    });
    await server.call('playOrPause', { id, status: 'play' }, person);
    const hasEnded = (batch: Batch) => test(batch) && batch.state === 'completed';
    const ended = await when(server, { user: person, id, test: hasEnded });
    expect(ended).toMatchObject({ answered: 3, charged: 3 });
  });

  it('that is paused while its last rows are in flight ends with them', async () => {
    const person = await personWith(10);
    const { body } = await start(person, await sheetOf(person, 4, '[[held]]'), '{{Text}}');
    const id = body.batch?.id ?? '';
    await expect.poll(() => chat.inFlight).toBe(4);
    expect(
      (await server.call('playOrPause', { id, status: 'pause' }, person)).body.batch.state,
    ).toBe('paused');
    chat.releaseHeld();
    expect(await whenEnded(server, person, id)).toMatchObject({
      state: 'completed',
      answered: 4,
      charged: 4,
    });
  });

  it('whose preview answered every row is complete when it starts', async () => {
    const person = await personWith(10);
    const file = await sheetOf(person, 3);
    await ask(person, { questionWithVariable: '{{Text}}', query: { file, preview: 5 } });
    const { body } = await start(person, file, '{{Text}}');
    expect(body.batch).toMatchObject({ state: 'completed', answered: 3, charged: 3 });
  });

  it('can be previewed several times at once, and each preview returns its own reservation', async () => {
    const person = await personWith(10);
    const file = await sheetOf(person, 5, '[[slow 100]]');
    const preview = (row: number) =>
      ask(person, { questionWithVariable: '{{Text}}', query: { file, preview: 1, rows: [row] } });
    const previews = await Promise.all([0, 1, 1, 2, 3].map(preview));
    expect(previews.map(({ body }) => body.answers?.[0]?.problem)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(await account(person)).toMatchObject({ available: 6, reserved: 0, spent: 4 });
  });

  it('that is deleted during its preview gives no free answer', async () => {
    const person = await personWith(10);
    const file = await sheetOf(person, 2, '[[held]]');
    const preview = ask(person, { questionWithVariable: '{{Text}}', query: { file, preview: 1 } });
    await expect.poll(() => chat.inFlight).toBe(1);
    const [batch] = (await server.call('getProcessedFiles', { state: 'ready' }, person)).body.files;
    expect((await server.call('deleteBatch', { id: batch?.id ?? '' }, person)).status).toBe(200);
    chat.releaseHeld();
    expect((await preview).body.answers).toMatchObject([
      { answer: null, problem: expect.stringContaining('Nothing was charged') },
    ]);
    expect(await account(person)).toMatchObject({ available: 10, reserved: 0, spent: 0 });
  });

  it('is never made of a sheet that is deleted at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      server.clock.advance(10_000);
      const person = await personWith(10);
      const file = await sheetOf(person, 2);
      const id = (await readyBatches(person, file, 1))[0] ?? '';
      const [deleted, started] = await Promise.all([
        retryWhileBusy(() => server.call('deleteBatch', { id }, person)),
        start(person, file, 'Another: {{Text}}'),
      ]);
      expect(deleted.status).toBe(200);
      if (started.status === 200) await whenEnded(server, person, started.body.batch?.id ?? '');
      else expect(started.body.code).toBe('not_found');
    }
  });
});
