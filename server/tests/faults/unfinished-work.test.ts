import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { startProxy, type TcpProxy } from '../../harness/proxy.ts';
import { BatchClient } from '../support/batches.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

describe('work that PostgreSQL interrupts', () => {
  let server: TestServer;
  let chat: FakeChat;
  let url: string;
  let proxy: TcpProxy;

  beforeAll(async () => {
    url = await createPostgresDatabase(inject('postgresTemplate'));
    proxy = await startProxy(new URL(url));
    chat = await startFakeChat();
    server = await startTestServer({
      DATABASE_URL: proxy.url,
      DATABASE_OWNER_URL: '',
      CHAT_BASE_URL: chat.url,
      CHAT_CONCURRENCY: '1',
    });
  });
  afterAll(() => Promise.all([proxy[Symbol.asyncDispose](), chat.close()]));

  async function crashesOf(batchId: string): Promise<number[]> {
    const slices = server.app.ctx.db.selectFrom('slices').select('crash_count');
    return (await slices.where('batch_id', '=', batchId).execute()).map(
      (slice) => slice.crash_count,
    );
  }

  // A lease without heartbeats would end after 15 s, and count as a crash of its process.
  it('ends a slice a second later, so that a stopped batch soon reserves nothing', async () => {
    const { db } = server.app.ctx;
    const client = await BatchClient.create(server, 10);
    const { id } = await client.start(['[[held]] 0', '[[held]] 1']);
    await until(() => chat.inFlight === 1);
    await sql`create sequence deadlocks`.execute(db);
    await sql`create function deadlock() returns trigger language plpgsql as $$ begin
      if nextval('deadlocks') <= 2 then raise exception 'deadlock' using errcode = '40P01'; end if;
      return new; end $$`.execute(db);
    await sql`create trigger deadlock before update on slices for each row
      when (new.state = 'idle') execute function deadlock()`.execute(db);
    const stopped = client.stop(id);
    await until(async () => (await client.batch(id)).state === 'stopped');
    chat.releaseHeld();
    await stopped;
    await until(async () => (await client.batch(id)).held === 0);
    await sql`drop function deadlock cascade`.execute(db);
    expect(await crashesOf(id)).toEqual([0]);
    await expectLedgerChecksToPass(server);
  });

  it('queues a slice again a second later that could not be read, so that its rows are soon sent', async () => {
    const { db } = server.app.ctx;
    const client = await BatchClient.create(server, 10);
    const { id } = await client.start(['[[held]] 0', '[[held]] 1']);
    await until(() => chat.inFlight === 1);
    await client.pause(id);
    chat.releaseHeld();
    await until(async () => (await client.batch(id)).answered === 1);
    const jobs = async () => {
      const found = sql`select from jobs.job where data->>'batch_id' = ${id}`.execute(db);
      return (await found).rows.length;
    };
    const locker = new pg.Client({ connectionString: url });
    await locker.connect();
    await locker.query('begin; lock table sheets in access exclusive mode');
    const playing = client.play(id);
    const before = await jobs();
    await until(async () => (await jobs()) >= before + 2);
    await locker.query('rollback');
    await locker.end();
    await playing;
    expect(await client.releaseUntilEnded(chat, id)).toMatchObject({ answered: 2, charged: 2 });
    expect(await crashesOf(id)).toEqual([0]);
  });

  it('returns what a prompt or a tried row reserved when it goes away at their commit', async () => {
    const person = await createUser(server, { submissions: 10 });
    const { body } = await server.upload('Text\none\n', person);
    const query = { file: body.file.id, preview: 1 };
    const requests = [
      ['insert into "single_prompts"', { question: 'One?', query: {} }],
      ['insert into "batches"', { questionWithVariable: 'Say {{Text}}', query }],
    ] as const;
    const reserved = async () => {
      const accounts = server.app.ctx.db.selectFrom('credit_accounts').select('reserved');
      return (await accounts.where('user_id', '=', person.id).executeTakeFirstOrThrow()).reserved;
    };
    for (const [statement, request] of requests) {
      const { lostCommits } = proxy.state;
      proxy.loseCommitAfter(statement, { goesDown: true });
      expect(await server.ask(request, person)).toMatchObject({ status: 503 });
      proxy.state.isDown = false;
      expect(proxy.state.lostCommits).toBe(lostCommits + 1);
      await until(async () => (await reserved().catch(() => 1)) === 0);
    }
    await expectLedgerChecksToPass(server);
  });
});
