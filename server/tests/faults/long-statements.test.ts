import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { signInDemo } from '../../harness/api-client.ts';
import { prepareData, startProduct } from '../../harness/processes.ts';
import { RequestWait } from '../../src/db/connection-turns.ts';
import { EmbeddedDatabase } from '../../src/db/embedded/embedded-database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { ServiceUnavailable } from '../../src/lib/unavailable.ts';
import { BatchClient } from '../support/batches.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { until } from '../support/waiting.ts';

describe('a statement on the embedded database that does not end', () => {
  let server: TestServer;
  let chat: FakeChat;

  beforeAll(async () => {
    chat = await startFakeChat();
    server = await startTestServer({ CHAT_BASE_URL: chat.url }, { statementSeconds: 10 });
  });
  afterAll(() => chat.close());

  it('gets other requests 503 with Retry-After, is ended, and nothing committed is lost', async () => {
    const { ctx, url } = server.app;
    const client = await BatchClient.create(server, 10);
    const batch = await client.start(['one', 'two', '[[held]]', '[[held]]']);
    await client.when(batch.id, ({ answered }) => answered === 2);
    const request = { ...ctx, db: ctx.scopedDb('system', new RequestWait()) };
    const endless = inTransaction(request, async ({ db }) => {
      await db.updateTable('batches').set({ answered: 0 }).where('id', '=', batch.id).execute();
      await sql`select count(*) from generate_series(1, 1e12)`.execute(db);
    });
    const ended = expect(endless).rejects.toThrow(ServiceUnavailable);
    chat.releaseHeld();
    const ready = fetch(`${url}/health/ready`);
    const { status, headers } = await server.call('getPlans', {});
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect((await ready).status).toBe(503);
    await ended;
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200);
    const { answered, charged } = await client.when(batch.id, ({ state }) => state === 'completed');
    expect([answered, charged]).toEqual([4, 4]);
    expect(chat.calls).toHaveLength(4);
    await expectLedgerChecksToPass(server);
  });
});

it('refuses a request that waits too long for the embedded database, and lets a job wait', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowmill-crowd-'));
  {
    const bounds = { crowdMilliseconds: 500 };
    await using database = await EmbeddedDatabase.open(join(folder, 'database'), bounds);
    const release = await database.turns.take();
    const job = database.turns.take();
    const request = database.turns.take(new RequestWait());
    await expect(request).rejects.toThrow(ServiceUnavailable);
    release();
    (await job)();
  }
  rmSync(folder, { recursive: true });
});

it('opens the embedded database again when its thread dies, and still listens to its channels', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowmill-thread-'));
  {
    await using database = await EmbeddedDatabase.open(join(folder, 'database'));
    const received: string[] = [];
    await database.listen('tests', (payload) => received.push(payload));
    await database.script('create table kept (number integer); insert into kept values (1)');
    const { session } = database;
    // The next thread dies too, as it opens the database.
    process.once('worker', (worker) => void worker.terminate());
    await session.query('insert into kept values (2)', [], { beginsTransaction: true });
    await session.end('the test ends it');
    await expect(session.query('commit', [])).rejects.toThrow(ServiceUnavailable);
    await until(() => database.session !== session);
    expect((await database.query('select number from kept', [])).rows).toEqual([{ number: 1 }]);
    await until(async () => {
      await database.query(`select pg_notify('tests', 'again')`, []);
      return received.length > 0;
    });
  }
  rmSync(folder, { recursive: true });
});

it('goes on when the disk can be written again, with all that was committed', async () => {
  const directory = await prepareData();
  const flag = join(directory, 'damaged');
  const module = pathToFileURL(join(import.meta.dirname, '../../harness/failing-disk.ts'));
  const env = { NODE_OPTIONS: `--import=${module}`, FAILING_DISK_FILE: flag };
  await using product = await startProduct({ CHAT_BASE_URL: 'demo', ...env }, directory);
  const client = await signInDemo(product.url);
  const save = (name: string) => client.status('saveVariable', { variable: { name, value: 'x' } });
  expect(await save('before')).toBe(200);
  writeFileSync(flag, '');
  expect(await save('meanwhile')).toBe(503);
  // The thread answers nothing after a failed write to its log. It is not waited for.
  expect(await save('later')).toBe(503);
  rmSync(flag);
  await until(async () => (await save('after')) === 200);
  const { variables } = await client.call('getVariables', {});
  expect(variables.map(({ name }) => name).sort()).toEqual(['after', 'before']);
});
