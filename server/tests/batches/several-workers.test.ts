import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../../fakes/chat/call-log.ts';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { type App, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { pauseByEngine } from '../../src/domains/batches/lifecycle/engine-pause.ts';
import { sliceQueueName } from '../../src/domains/batches/slices/sizes.ts';
import { lockBatch } from '../../src/domains/batches/store/batches.ts';
import { hour } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const rowsOf = (words: string, count: number) =>
  Array.from({ length: count }, (_, row) => `${words} ${row}`);
const callsOf = (words: string, { calls }: FakeChat) =>
  calls.filter(({ prompt }) => prompt.includes(words));
const promptsOf = (words: string, chat: FakeChat) =>
  callsOf(words, chat).map(({ prompt }) => prompt);

describe('several engines on one database', () => {
  it('ask every row once, and share the configured calls', async () => {
    await using slow = await startFakeChat({ latency: 5 });
    const shared = await startTestServer({
      CHAT_BASE_URL: slow.url,
      CHAT_MODEL: 'fake',
      CHAT_CONCURRENCY: '8',
    });
    const other = await startApp(
      parseConfig(readEnvironment({ ...shared.settings, SERVE: 'worker' })),
    );
    const rows = 2_500;
    const together = await BatchClient.create(shared, rows);
    const { id } = await together.start(rowsOf('shared', rows));
    expect(await together.whenEnded(id)).toMatchObject({
      state: 'completed',
      answered: rows,
      charged: rows,
    });
    const answered = await Promise.all([shared.app, other].map(countAnswered));
    await other[Symbol.asyncDispose]();
    expect([slow.calls.length, new Set(promptsOf('shared', slow)).size]).toEqual([rows, rows]);
    expect(answered.reduce((sum, count) => sum + count)).toBe(rows);
    // A worker leases another slice only when it has fewer than 512 open rows, so the other finds
    // some of these five.
    expect(Math.min(...answered)).toBeGreaterThan(rows / 4);
    // At the start each may take all calls, until it hears of the other.
    expect(meanInFlight(slow.calls.slice(rows / 2, rows - 50))).toBeLessThan(9);
    await expectLedgerChecksToPass(shared);
  });

  it('take over the slices of a killed worker', async () => {
    const chat = await startFakeChat();
    onTestFinished(() => chat.close());
    const part = await startTestServer({
      CHAT_BASE_URL: chat.url,
      CHAT_MODEL: 'fake',
      SERVE: 'site,auth,plan,main',
    });
    const orphaned = await BatchClient.create(part, 300);
    const { id } = await orphaned.start(rowsOf('orphaned [[held]]', 300));
    const env = { ...part.settings, SERVE: 'worker' };
    const worker = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
      env,
      stdio: 'ignore',
    });
    onTestFinished(() => void worker.kill('SIGKILL'));
    const given = () => callsOf('orphaned', chat).filter(({ status }) => status === 200).length;
    await orphaned.when(id, ({ answered }) => {
      chat.releaseHeld(Math.max(0, 24 - given()));
      return answered > 20;
    });
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    const { answered } = await orphaned.batch(id);
    expect(answered).toBeLessThan(300);
    const operator = await createUser(part, { roleId: roles.operator });
    const isWorkerMissing = async () =>
      (await part.call('getOverview', {}, operator)).body.worker_missing;
    await sql`update jobs.queue set created_on = now() - interval '1 day',
      monitor_claim_on = now() - interval '1 minute'`.execute(part.app.ctx.db);
    expect(await isWorkerMissing()).toBe(true);
    await using successor = await startApp(
      parseConfig(readEnvironment({ ...part.settings, SERVE: 'worker' })),
    );
    expect(successor.url).not.toBe('');
    await expect.poll(isWorkerMissing).toBe(false);
    // The leases of the dead worker end after half a minute.
    expect(await orphaned.releaseUntilEnded(chat, id)).toMatchObject({
      state: 'completed',
      answered: 300,
      charged: 300,
      held: 0,
    });
    expect(
      callsOf('orphaned', chat).length - new Set(promptsOf('orphaned', chat)).size,
    ).toBeLessThanOrEqual(1.25 * 16);
    await expectLedgerChecksToPass(part);
  });
});

it('starts a worker although batches are locked, and goes on with them once they are not', async () => {
  const chat = await startFakeChat();
  onTestFinished(() => chat.close());
  const part = await startTestServer({
    CHAT_BASE_URL: chat.url,
    CHAT_MODEL: 'fake',
    SERVE: 'site,auth,plan,main',
  });
  const { ctx } = part.app;
  const paused = await BatchClient.create(part, 20);
  const [locked, other] = [await paused.start(['locked']), await paused.start(['other'])];
  for (const { id: batchId } of [locked, other])
    await pauseByEngine(ctx, { batchId, reason: 'provider_refused' });
  // A killed worker has answers of another one.
  const left = await paused.start(['left']);
  const { rows } = await sql<{ id: string; retryCount: number }>`
    update jobs.job set state = 'active', started_on = now(), heartbeat_on = now()
    where name = ${sliceQueueName} and data->>'batch_id' = ${left.id}
    returning id, retry_count as "retryCount"`.execute(ctx.db);
  const result = { row: 0, state: 'answered', answer: 'Recovered', problem: null };
  const folder = join(ctx.config.dataDirectory, 'journal/1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'one.jsonl'),
    `${JSON.stringify({ batchId: left.id, lease: rows[0], result })}\n`,
  );
  const settings = parseConfig(readEnvironment({ ...part.settings, SERVE: 'worker' }));
  const start = () => startApp(settings, { resumeIntervalMilliseconds: 1_000 });
  await using worker = await ctx.db.transaction().execute(async (db) => {
    for (const { id } of [locked, left]) await lockBatch(db, id);
    const started = await start();
    await paused.whenEnded(other.id);
    return started;
  });
  expect(worker.url).not.toBe('');
  await paused.whenEnded(locked.id);
  await paused.whenEnded(left.id);
  expect(await paused.rows(left.id)).toMatchObject([{ answer: 'Recovered' }]);
  expect(callsOf('left', chat)).toEqual([]);
});

it('leaves batches of a model without settings to workers that reach its provider', async () => {
  const chat = await startFakeChat();
  onTestFinished(() => chat.close());
  const settings = { CHAT_BASE_URL: chat.url, CHAT_MODEL: 'fake' };
  // It probes once, and does not see the provider again.
  const cut = await startTestServer(settings, { probeIntervalMilliseconds: hour });
  const client = await BatchClient.create(cut, 20);
  chat.behave({ down: true });
  const paused = await client.start(['paused']);
  await client.when(paused.id, ({ state }) => state === 'paused');
  chat.behave({ down: false });
  const { id } = await client.start(['answered']);
  await using worker = await startApp(
    parseConfig(readEnvironment({ ...cut.settings, SERVE: 'worker' })),
  );
  expect(worker.url).not.toBe('');
  expect(await client.whenEnded(id)).toMatchObject({ answered: 1 });
});

it('keeps slices that wait for weeks, also those of an earlier version', async () => {
  const part = await startTestServer({ CHAT_BASE_URL: 'demo', SERVE: 'site,auth,plan,main' });
  const waiting = await BatchClient.create(part, 20);
  await waiting.start(rowsOf('waiting', 10));
  const { db } = part.app.ctx;
  await sql`update jobs.queue set retention_seconds = 14 * 86400 where name = ${sliceQueueName}`.execute(
    db,
  );
  await sql`update jobs.job set keep_until = start_after + interval '14 days'`.execute(db);
  await part.restart();
  await waiting.start(rowsOf('waiting too', 10));
  const { rows } = await sql`select keep_until > now() + interval '1 year' as is_kept
    from jobs.job where name = ${sliceQueueName}`.execute(part.app.ctx.db);
  expect(rows).toEqual([{ is_kept: true }, { is_kept: true }]);
});

async function countAnswered({ url }: App): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/rowmill_calls_total\{outcome="answered"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}

/** While these calls began. */
function meanInFlight(calls: readonly Call[]): number {
  const [from, until] = [calls[0]?.at ?? 0, calls.at(-1)?.at ?? 0];
  const busy = calls.reduce((sum, { at, endedAt }) => sum + ((endedAt ?? until) - at), 0);
  return busy / (until - from);
}
