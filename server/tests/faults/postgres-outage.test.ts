import { createHash } from 'node:crypto';
import { type endpoints, type RequestOf, roles } from '@rowmill/contract';
import pg from 'pg';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { startProxy, type TcpProxy } from '../../harness/proxy.ts';
import { postgresConnector } from '../../src/db/postgres-client.ts';
import { PostgresListener } from '../../src/db/postgres-listener.ts';
import { withIdempotencyKeyAroundExternalCall } from '../../src/domains/requests/idempotency-keys.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { openHandles } from '../support/stored-files.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createUser, newEmail, registration, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

describe('PostgreSQL goes away and comes back', () => {
  let proxy: TcpProxy;

  beforeAll(async () => {
    proxy = await startProxy(new URL(await createPostgresDatabase()));
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  it('leaves one listening connection, with at most two attempts a second', async () => {
    await using listener = new PostgresListener(postgresConnector(proxy.url));
    const received: string[] = [];
    await listener.listen('test_channel', (payload) => received.push(payload));
    expect(proxy.openConnections()).toBe(1);
    for (let outage = 0; outage < 3; outage++) {
      proxy.state.accepted = 0;
      proxy.state.isDown = true;
      proxy.cut();
      const startedAt = performance.now();
      await expect.poll(() => proxy.state.accepted).toBeGreaterThanOrEqual(3);
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(proxy.state.accepted / seconds).toBeLessThanOrEqual(2);
      proxy.state.isDown = false;
      await expect.poll(() => proxy.openConnections()).toBe(1);
    }
    const client = new pg.Client({ connectionString: proxy.url });
    await client.connect();
    await expect
      .poll(async () => {
        await client.query(`select pg_notify('test_channel', 'again')`);
        return received.length;
      })
      .toBeGreaterThan(0);
    await client.end();
    await expect.poll(() => proxy.openConnections()).toBe(1);
  });

  it('fails a statement on a silently dead connection and frees its locks', async () => {
    // Without their own time limit.
    const connectionString = proxy.url;
    const { Client } = postgresConnector(connectionString);
    const dead = new Client({ connectionString });
    const idle = new Client({ connectionString });
    const waiting = new Client({ connectionString });
    for (const client of [dead, idle, waiting]) client.on('error', () => {});
    await dead.connect();
    await dead.query('begin');
    await dead.query('select pg_advisory_xact_lock(7)');
    await idle.connect();
    const idleEnded = new Promise<void>((resolve) => idle.on('end', () => resolve()));
    proxy.silence();
    await waiting.connect();
    // As silent as the dead one, but PostgreSQL is working on it.
    const locked = waiting.query('select pg_advisory_lock(7)');
    await expect(dead.query('select 1')).rejects.toThrow('Connection terminated');
    await idleEnded;
    expect((await locked).rowCount).toBe(1);
    await waiting.end();
  });

  it('notices a silently dead connection', async () => {
    await using listener = new PostgresListener(postgresConnector(proxy.url));
    const received: string[] = [];
    await listener.listen('silent_channel', (payload) => received.push(payload));
    proxy.silence();
    const direct = new URL(proxy.url);
    direct.port = new URL(inject('postgresUrl')).port;
    const sender = new pg.Client({ connectionString: direct.href });
    await sender.connect();
    await expect
      .poll(
        async () => {
          await sender.query(`select pg_notify('silent_channel', 'again')`);
          return received.length;
        },
        { timeout: 100_000, interval: 1_000 },
      )
      .toBeGreaterThan(0);
    await sender.end();
  });
});

describe('a server whose connections to PostgreSQL are cut', () => {
  let server: TestServer;
  let proxy: TcpProxy;
  let chat: FakeChat;

  beforeAll(async () => {
    const direct = await createPostgresDatabase(inject('postgresTemplate'));
    proxy = await startProxy(new URL(direct));
    chat = await startFakeChat();
    server = await startTestServer({
      DATABASE_URL: proxy.url,
      DATABASE_OWNER_URL: '',
      CHAT_BASE_URL: chat.url,
    });
  });
  afterAll(() => Promise.all([proxy[Symbol.asyncDispose](), chat.close()]));

  it('answers 503 with Retry-After meanwhile, never 500, and works after thirty cuts', async () => {
    const statuses = new Set<number>();
    let isOver = false;
    const crowd = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status, headers } = await server.call('login', {
          email: 'someone@example.test',
          password: 'not the password',
        });
        statuses.add(status);
        if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
      }
    });
    for (let cut = 0; cut < 30; cut++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      proxy.cut();
    }
    proxy.state.isDown = true;
    proxy.cut();
    await expect.poll(() => statuses.has(503)).toBe(true);
    const metrics = await (await fetch(`${server.app.url}/metrics`)).text();
    proxy.state.isDown = false;
    isOver = true;
    await Promise.all(crowd);
    expect(statuses).not.toContain(500);
    expect(metrics).toMatch(/^rowmill_database_answers 0$/m);
    expect(metrics).not.toMatch(/^rowmill_(database_sec|rows_open|frozen_acc|lease_age)\w+ /m);
    await expect.poll(async () => (await server.call('getPlans', {})).status).toBe(200);
    await expect.poll(() => proxy.openConnections()).toBeLessThanOrEqual(30);
  });

  it('answers 503 with Retry-After while a table is locked, and serves again after', async () => {
    const locker = new pg.Client({ connectionString: proxy.url });
    await locker.connect();
    await locker.query('begin; lock table users in access exclusive mode');
    const signIn = () =>
      server.call('login', { email: 'locked-out@example.test', password: 'not the password' });
    const answers = await Promise.all([signIn(), signIn(), signIn()]);
    for (const { status, headers } of answers)
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await locker.query('rollback');
    await locker.end();
    expect((await signIn()).status).toBe(422);
  });

  it('stores an answer and tried rows that come while it is away', async () => {
    const person = await createUser(server, { submissions: 10 });
    const { body } = await server.upload('Text\n[[held]]\n', person);
    const options = { token: person.token };
    const prompt = server.ask({ question: '[[held]]', query: {} }, options);
    const tried = server.ask(
      { questionWithVariable: 'Say {{Text}}', query: { file: body.file.id, preview: 1 } },
      options,
    );
    await until(() => chat.inFlight === 2);
    proxy.state.isDown = true;
    proxy.cut();
    chat.releaseHeld();
    await until(() => chat.inFlight === 0);
    // Longer than one request waits for a connection.
    const { accepted } = proxy.state;
    await until(() => proxy.state.accepted >= accepted + 3);
    proxy.state.isDown = false;
    expect(await prompt).toMatchObject({ status: 200, body: { answer: expect.any(String) } });
    expect(await tried).toMatchObject({ status: 200, body: { answers: [{ problem: null }] } });
    const { ctx } = server.app;
    const account = ctx.db.selectFrom('credit_accounts').selectAll();
    expect(await account.where('user_id', '=', person.id).executeTakeFirstOrThrow()).toMatchObject({
      available: 8,
      reserved: 0,
      spent: 2,
    });
    await expectLedgerChecksToPass(server);
  });

  it('stores an answer once when the reply to its commit is lost', async () => {
    const person = await createUser(server, { submissions: 10 });
    const { body } = await server.upload('Text\n[[held]] 0\n[[held]] 1\n', person);
    const ask = async (request: RequestOf<typeof endpoints.askChatGpt>) => {
      const before = chat.inFlight;
      const answer = server.ask(request, { token: person.token });
      await until(() => chat.inFlight > before);
      return { answer };
    };
    const tryRow = (row: number) => {
      const query = { file: body.file.id, preview: 1, rows: [row] };
      return ask({ questionWithVariable: 'Say {{Text}}', query });
    };
    const { ctx } = server.app;
    const account = ctx.db
      .selectFrom('credit_accounts')
      .select(['available', 'reserved', 'spent'])
      .where('user_id', '=', person.id);
    const shown = { status: 200, body: { answers: [{ problem: null }] } };
    const first = await tryRow(0);
    // Of the same batch, and with its own reservation.
    const second = await tryRow(1);
    proxy.loseCommitAfter('insert into results');
    chat.releaseHeld(1);
    expect(await first.answer).toMatchObject(shown);
    const between = await account.executeTakeFirstOrThrow();
    expect(between).toEqual({ available: 8, reserved: 1, spent: 1 });
    chat.releaseHeld();
    expect(await second.answer).toMatchObject(shown);
    const single = await ask({ question: '[[held]]' });
    proxy.loseCommitAfter('update "single_prompts"');
    chat.releaseHeld();
    expect(await single.answer).toMatchObject({ status: 200, body: { creditsAvailable: 7 } });
    const after = await account.executeTakeFirstOrThrow();
    expect(after).toEqual({ available: 7, reserved: 0, spent: 3 });
    expect(proxy.state.lostCommits).toBe(2);
    await expectLedgerChecksToPass(server);
  });

  it('has a sheet with its files when the reply to its commit is lost', async () => {
    const person = await createUser(server);
    const { lostCommits } = proxy.state;
    proxy.loseCommitAfter('insert into "sheets"');
    const { status, body } = await server.upload('Text\none\n', person);
    expect([status, proxy.state.lostCommits]).toEqual([200, lostCommits + 1]);
    const rows = await server.call('getFile', { id: body.file.id }, person);
    expect(rows).toMatchObject({ status: 200, body: { rows: [['one']] } });
    expect((await server.call('listFiles', {}, person)).body.total).toBe(1);
  });

  it('answers a request with a key whose work was done when the reply to its commit is lost', async () => {
    const admin = await createUser(server, { roleId: roles.admin, submissions: 10 });
    const { lostCommits } = proxy.state;
    const invited = { ...registration(newEmail()), credits: 4 };
    const options = { ...admin, headers: { 'idempotency-key': 'invite' } };
    const invite = () => server.call('addClient', invited, options);
    const left = () => server.balance(admin);
    proxy.loseCommitAfter('insert into "idempotency_keys"');
    const first = await invite();
    expect([first.status, proxy.state.lostCommits, await left()]).toEqual([
      200,
      lostCommits + 1,
      6,
    ]);
    const second = await invite();
    expect([second.body, await left()]).toEqual([first.body, 6]);
  });

  it('lets a request be repeated under its key when it was away as the first one failed', async () => {
    const person = await createUser(server);
    const { ctx } = server.app;
    const keyed = { userId: person.id, subjectId: person.id, key: 'k', call: '/x', body: {} };
    const first = withIdempotencyKeyAroundExternalCall(ctx, keyed, async () => {
      proxy.state.isDown = true;
      proxy.cut();
      throw new Error('the call failed');
    });
    await expect(first).rejects.toThrow('the call failed');
    proxy.state.isDown = false;
    const keys = ctx.db.selectFrom('idempotency_keys').select('key').where('key', '=', 'k');
    await until(async () => (await keys.execute().catch(() => ['away'])).length === 0);
    const again = withIdempotencyKeyAroundExternalCall(ctx, keyed, async () => ({ id: 1 }));
    expect(await again).toEqual({ id: 1 });
  });

  describe('in the middle of a download', () => {
    const rows = 60_000;
    let client: TestUser;
    let batch: string;
    beforeAll(async () => {
      client = await createUser(server, { submissions: rows });
      const lines = Array.from({ length: rows }, (_, row) => `${row},${'x'.repeat(80)}\r\n`);
      const { body } = await server.upload(`number,text\r\n${lines.join('')}`, client);
      const request = {
        questionWithVariable: '{{number}}',
        query: { file: body.file.id, start: true },
      };
      const started = await server.ask(request, client);
      batch = started.body.batch?.id ?? '';
      await server.call('stopFileProcessing', { id: batch }, client);
      await storeAnswers(proxy.url, batch);
    });

    /** As many as one person may have at once, so what one leaves behind refuses the next. */
    const kinds = [{ unchanged: true }, { tokens: true }, { format: 'xlsx', marks: true }] as const;
    /**
     * Has sent its first bytes, and waits for its reader because no buffer holds the rest. A busy
     * database refuses some.
     */
    const begin = async (kind: (typeof kinds)[number]) => {
      const request = { file: batch, ...kind };
      const ask = () => server.download('downloadChatGptResponse', request, client);
      let answer = await ask();
      while (answer.status === 503) answer = await ask();
      expect(answer.status).toBe(200);
      const reader = answer.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      return { reader, first: value ?? new Uint8Array() };
    };
    const beginAll = () => Promise.all(kinds.map(begin));

    it('aborts every download, so that no part of a file looks complete', async () => {
      const handles = openHandles();
      const started = await beginAll();
      proxy.state.isDown = true;
      proxy.cut();
      const ends = await Promise.allSettled(started.map(readToEnd));
      expect(ends.map(({ status }) => status)).toEqual(kinds.map(() => 'rejected'));
      proxy.state.isDown = false;
      await expect.poll(openHandles).toBeLessThan(handles + 20);
    });

    it('is no file to save when it is refused before its first byte', async () => {
      const locker = new pg.Client({ connectionString: proxy.url });
      await locker.connect();
      await locker.query('begin; lock table results in access exclusive mode');
      const request = { file: batch, format: 'jsonl' } as const;
      const { status, headers } = await server.download('downloadChatGptResponse', request, client);
      await locker.end();
      const told = ['retry-after', 'content-disposition'].map((name) => headers.get(name));
      expect([status, ...told]).toEqual([503, '2', null]);
    });

    it('does not touch downloads whose readers pause until it is back', async () => {
      const started = await beginAll();
      await whenBuffersAreFull(proxy.url);
      proxy.cut();
      const [unchanged = empty, csv = empty, workbook = empty] = await Promise.all(
        started.map(readToEnd),
      );
      for (const file of [unchanged, csv]) expectWhole(cellsOf(file), rows);
      const [results] = await readWorkbook(workbook);
      expectWhole(results?.data ?? [], rows);
    });
  });
});

const empty = Buffer.alloc(0);

/** Also over those that came before the batch was stopped. */
async function storeAnswers(url: string, batch: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(
    `insert into results (batch_id, row, state, answer, marks)
     select $1, row, 'answered', (select string_agg(md5(row::text || part), '') from generate_series(1, 12) part), 1
     from generate_series(0, (select rows - 1 from batches where id = $1)) row
     on conflict (batch_id, row) do update set state = 'answered', answer = excluded.answer, problem = null`,
    [batch],
  );
  await db.end();
}

/**
 * Waits until two looks in a row show no newer read of answers. Another statement of a connection
 * may hide its last read, so the newest one ever seen counts.
 */
async function whenBuffersAreFull(url: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  let newest = '';
  let looks = 0;
  const isStill = async () => {
    const { rows } = await db.query(
      `select coalesce(max(query_start)::text, '') as latest from pg_stat_activity
       where datname = current_database() and query like '%from "results"%' and pid <> pg_backend_pid()`,
    );
    const isNewer = rows[0].latest > newest;
    if (isNewer) newest = rows[0].latest;
    looks = isNewer ? 0 : looks + 1;
    return looks === 2;
  };
  await expect.poll(isStill, { interval: 500 }).toBe(true);
  await db.end();
}

interface OpenDownload {
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  first: Uint8Array;
}

async function readToEnd({ reader, first }: OpenDownload): Promise<Buffer> {
  const parts = [first];
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return Buffer.concat(parts);
    parts.push(value);
  }
}

/** Every row in its order, with its own answer. */
function expectWhole(lines: readonly unknown[][], rows: number): void {
  const wrong = lines
    .slice(1)
    .findIndex(
      ([number, , answer], row) =>
        number !== String(row) || !String(answer).startsWith(md5(`${row}1`)),
    );
  expect([wrong, lines.length]).toEqual([-1, rows + 1]);
}

const cellsOf = (csv: Buffer) =>
  csv
    .toString()
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
