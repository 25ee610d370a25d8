import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startProxy, type TcpProxy } from '../../harness/proxy.ts';
import { PatientClient } from '../../src/db/postgres-client.ts';
import { PostgresListener } from '../../src/db/postgres-listener.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

describe('PostgreSQL goes away and comes back', () => {
  let proxy: TcpProxy;

  beforeAll(async () => {
    proxy = await startProxy(new URL(await createPostgresDatabase()));
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  it('leaves one listening connection, with at most two attempts a second', async () => {
    await using listener = new PostgresListener(proxy.url);
    const heard: string[] = [];
    await listener.listen('test_channel', (payload) => heard.push(payload));
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
        return heard.length;
      })
      .toBeGreaterThan(0);
    await client.end();
    await expect.poll(() => proxy.openConnections()).toBe(1);
  });

  it('fails a statement on a silently dead connection and frees its locks', async () => {
    // Without a time limit of their own.
    const [dead, idle, waiting] = Array.from(
      { length: 3 },
      () => new PatientClient({ connectionString: proxy.url }),
    ) as [PatientClient, PatientClient, PatientClient];
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
    await using listener = new PostgresListener(proxy.url);
    const heard: string[] = [];
    await listener.listen('silent_channel', (payload) => heard.push(payload));
    proxy.silence();
    const direct = new URL(proxy.url);
    direct.port = new URL(inject('postgresUrl')).port;
    const sender = new pg.Client({ connectionString: direct.href });
    await sender.connect();
    await expect
      .poll(
        async () => {
          await sender.query(`select pg_notify('silent_channel', 'again')`);
          return heard.length;
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

  beforeAll(async () => {
    const direct = await createPostgresDatabase(inject('postgresTemplate'));
    proxy = await startProxy(new URL(direct));
    server = await startTestServer({ DATABASE_URL: proxy.url, DATABASE_OWNER_URL: '' });
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  it('answers 503 with Retry-After meanwhile, never 500, and goes on after thirty cuts', async () => {
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
    proxy.state.isDown = false;
    isOver = true;
    await Promise.all(crowd);
    expect(statuses).not.toContain(500);
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
});
