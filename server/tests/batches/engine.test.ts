import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { batchEmail } from '../../src/domains/batches/emails.ts';
import { storeResults } from '../../src/domains/batches/results/store-results.ts';
import { finishSlice } from '../../src/domains/batches/slices/lease.ts';
import { sliceQueueName } from '../../src/domains/batches/slices/sizes.ts';
import { hour } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { stepClocks } from '../support/step-clocks.ts';
import { startTestServer } from '../support/test-server.ts';
import { retryWhileBusy, until } from '../support/waiting.ts';

let client: BatchClient;
const { chat, settings } = await startChat();
const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '16' });
const first = await BatchClient.create(server, 1);
// After the first answer the engine uses its full concurrency.
await first.whenEnded((await first.start(['first'])).id);
beforeEach(async () => {
  client = await BatchClient.create(server, 1_000);
  return () => expectLedgerChecksToPass(server);
});

const rowsOf = (words: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${words} ${index}`);
const callsOf = (words: string, from = chat) =>
  from.calls.filter(({ prompt }) => prompt.startsWith(words));
const promptsOf = (words: string, from = chat) => callsOf(words, from).map(({ prompt }) => prompt);

describe('a batch that is stopped with sixteen calls in flight', () => {
  it('charges answers within the grace period and returns the unused submissions', async () => {
    const { id } = await client.start(rowsOf('late [[held]]', 100));
    await until(() => chat.inFlight === 16);
    await client.stop(id);
    chat.releaseHeld();
    const ended = await client.whenEnded(id);
    const calls = callsOf('late');
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(ended.answered);
    expect(ended.receipt).toEqual({
      answered: 16,
      failed: 0,
      skipped: 0,
      charged: 16,
      returned: 84,
    });
    expect(await client.balance()).toBe(984);
    expect(calls).toHaveLength(16);
  });

  it('abandons calls that do not end, uncharged', async () => {
    const { id } = await client.start(rowsOf('never [[hang]]', 100));
    await until(() => chat.inFlight === 16);
    await client.stop(id);
    expect(await client.whenEnded(id)).toMatchObject({
      receipt: { answered: 0, failed: 0, skipped: 0, charged: 0, returned: 100 },
    });
    expect(await client.balance()).toBe(1_000);
    await until(() => chat.inFlight === 0);
  });
});

describe('a batch that four people pause and play at random', () => {
  it('asks every row once and ends in the last requested state', async () => {
    const { id } = await client.start(rowsOf('toggled [[slow 30]]', 150));
    const toggle = async () => {
      for (let turn = 0; turn < 25; turn++) {
        const act = Math.random() < 0.5 ? 'pause' : 'play';
        expect([200, 409]).toContain((await retryWhileBusy(() => client[act](id))).status);
      }
    };
    await Promise.all([toggle(), toggle(), toggle(), toggle()]);
    const { body } = await client.pause(id);
    if (body.batch) {
      expect(body.batch.state).toBe('paused');
      await until(() => chat.inFlight === 0);
      await client.play(id);
    }
    expect(await client.whenEnded(id)).toMatchObject({
      state: 'completed',
      answered: 150,
      charged: 150,
    });
    const prompts = promptsOf('toggled');
    expect([prompts.length, new Set(prompts).size]).toEqual([150, 150]);
  });
});

describe('a slice leased by two workers, one of them presumed dead', () => {
  it('is charged once when both store its results repeatedly', async () => {
    const { id } = await client.start(rowsOf('twice [[held]]', 20));
    await until(() => callsOf('twice').length > 0);
    const results = [0, 1, 2, 3, 4].map((row) => ({
      row,
      state: 'answered' as const,
      answer: 'From the other worker',
      problem: null,
    }));
    const store = () => storeResults(server.app.ctx, { batchId: id, results });
    await Promise.all([store(), store(), store()]);
    expect(await client.batch(id)).toMatchObject({ answered: 5, charged: 5 });
    expect(await client.releaseUntilEnded(chat, id)).toMatchObject({
      state: 'completed',
      answered: 20,
      failed: 0,
      charged: 20,
    });
    const answers = (await client.rows(id)).map(({ answer }) => answer);
    expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'From the other worker'));
    expect(answers[5]).toMatch(/^Answer to: twice/);
    const metrics = await (await fetch(`${server.app.url}/metrics`)).text();
    expect(metrics).toMatch(/rowmill_events_total\{event="duplicate_results"\} [1-9]/);
    expect(metrics).toMatch(/rowmill_calls_total\{outcome="answered"\} [1-9]/);
    expect(metrics).toMatch(/_seconds_count\{route="\S+askChatGpt",status="200"\} [1-9]/);
    expect(metrics).toMatch(/rowmill_database_answers 1\n/);
    const dashboard = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    for (const [, name = ''] of metrics.matchAll(/^# TYPE (rowmill_\w+)/gm))
      expect(queries.join(' ')).toContain(name);
    for (const query of queries) {
      const [name = 'no series'] = query.match(/(rowmill|nodejs|process)_\w+/) ?? [];
      expect(metrics, query).toMatch(
        new RegExp(`^# TYPE ${name.replace(/_(bucket|count)$/, '')} `, 'm'),
      );
      const [series] = metrics.match(new RegExp(`^${name}\\b.*`, 'm')) ?? [];
      const [, labels = ''] = query.match(/ by \((.*?)\)/) ?? [];
      // Prometheus adds the instance; some series have no sample yet.
      for (const label of labels.split(', ').filter((each) => each && each !== 'instance'))
        if (series) expect(series, query).toContain(`${label}="`);
    }
  });

  it('can only be ended by its current worker', async () => {
    const { id } = await client.start(rowsOf('fenced [[held]]', 20));
    await until(() => callsOf('fenced').length > 0);
    const lease = { id: '00000000-0000-4000-8000-000000000000', retryCount: 0 };
    await finishSlice(server.app.ctx, { batchId: id, first: 0, lease, isComplete: true });
    const slices = await server.app.ctx.db
      .selectFrom('slices')
      .selectAll()
      .where('batch_id', '=', id)
      .execute();
    expect(slices.map(({ state }) => state)).toEqual(['queued', 'queued']);
    const ended = await client.releaseUntilEnded(chat, id);
    expect(ended).toMatchObject({ state: 'completed', answered: 20 });
    expect(promptsOf('fenced')).toHaveLength(20);
  });
});

describe('a batch that is started with too few submissions', () => {
  it('runs until they are used up, reports it once and ends with one for each sent row', async () => {
    const poor = await BatchClient.create(server, 30);
    const { id } = await poor.start([...rowsOf('poor', 100), ' '], { query: { partial: true } });
    const paused = await poor.when(id, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({
      pause_reason: 'needs_credits',
      answered: 30,
      charged: 30,
      held: 0,
    });
    await server.emailTo(poor.user.email, 'is paused');
    expect((await poor.play(id)).body.code).toBe('insufficient_credits');
    await poor.receive(20);
    await poor.play(id);
    expect(await poor.when(id, ({ state }) => state === 'paused')).toMatchObject({
      answered: 50,
      charged: 50,
      held: 0,
      needed: 50,
    });
    await poor.receive(50);
    expect((await poor.play(id)).body.batch).toMatchObject({ covered: null, needed: 0 });
    expect(await poor.when(id, ({ state }) => state !== 'running')).toMatchObject({
      state: 'completed',
      answered: 100,
      skipped: 1,
      charged: 100,
    });
    expect(new Set(promptsOf('poor')).size).toBe(promptsOf('poor').length);
  });

  it('counts only the rows that they cover in the time left', async () => {
    const poor = await BatchClient.create(server, 30);
    const rows = [...rowsOf('held [[held]]', 10), ...rowsOf('soon', 90)];
    const { id } = await poor.start(rows, { query: { partial: true } });
    await poor.when(id, ({ answered }) => answered === 20);
    server.clock.advance(2_000);
    const { covered, seconds_left, rows_per_minute } = await poor.batch(id);
    expect([covered, seconds_left]).toEqual([10, Math.ceil((10 / (rows_per_minute ?? 0)) * 60)]);
    chat.releaseHeld();
    expect((await poor.when(id, ({ state }) => state === 'paused')).covered).toBeNull();
  });

  it('uses them for answered rows only, even if many rows fail', async () => {
    const poor = await BatchClient.create(server, 40);
    const { id } = await poor.start([...rowsOf('[[status 413]]', 60), ...rowsOf('worth it', 40)], {
      query: { partial: true },
    });
    expect(await poor.whenEnded(id)).toMatchObject({
      state: 'completed',
      answered: 40,
      failed: 60,
      charged: 40,
    });
  });
});

describe('clocks that step back two hours', () => {
  /** The first rows are held, so that the batch is still running when the clocks step. */
  const heldRows = (words: string, count: number) =>
    rowsOf(words, count).map((row, index) => (index < 16 ? `${row} [[held]]` : row));

  it('stop no batch, no job and not the supervision of the queue', async () => {
    const { ctx } = server.app;
    await stepClocks(server, { to: 2 * hour });
    onTestFinished(() => stepClocks(server, { to: 0 }));
    // What the supervisor of the queue writes every few seconds.
    await sql`update jobs.queue set monitor_claim_on = jobs.job_now()`.execute(ctx.db);
    const { id } = await client.start(heldRows('timeless', 900));
    await client.pause(id);
    chat.releaseHeld();
    await inTransaction(ctx, async (inside) => {
      await inside.enqueue(inside.db, batchEmail(id, 'batch_paused'));
      await stepClocks(server, { to: 0, db: inside.db });
    });
    await server.emailTo(client.user.email, 'is paused');
    const { rows } = await sql`select from jobs.queue where monitor_claim_on > now()`.execute(
      ctx.db,
    );
    expect(rows).toEqual([]);
    await client.play(id);
    const ended = await client.releaseUntilEnded(chat, id);
    expect(ended).toMatchObject({ state: 'completed', answered: 900 });
  });

  it('leave slices that were queued before free to be leased', async () => {
    await stepClocks(server, { to: 2 * hour });
    onTestFinished(() => stepClocks(server, { to: 0 }));
    const { id } = await client.start(heldRows('ahead of time', 1_000));
    await until(() => callsOf('ahead of time').length > 0);
    await stepClocks(server, { to: 0 });
    const ended = await client.releaseUntilEnded(chat, id);
    expect(ended).toMatchObject({ state: 'completed', answered: 1_000 });
  });
});

describe('the failed rows of a stopped batch', () => {
  it('are retried without the rows that were never asked', async () => {
    const { id } = await client.start([
      ...rowsOf('wrong [[status 422]]', 5),
      ...rowsOf('slow [[held]]', 200),
    ]);
    await until(() => callsOf('slow').length > 0);
    chat.releaseHeld(1);
    await client.when(id, ({ failed, answered }) => failed === 5 && answered > 0);
    await client.stop(id);
    chat.releaseHeld();
    const stopped = await client.whenEnded(id);
    const calls = chat.calls.length;
    await client.retryFailed(id);
    const ended = await client.whenEnded(id);
    expect(ended).toMatchObject({
      state: 'completed',
      failed: 5,
      answered: stopped.answered,
      charged: stopped.answered,
    });
    expect(ended.rows).toBe(stopped.answered + 5);
    expect(chat.calls.slice(calls).map(({ prompt }) => prompt)).toEqual(
      promptsOf('wrong').slice(5),
    );
    expect(promptsOf('wrong')).toHaveLength(10);
  });
});

describe('a batch of several slices', () => {
  it('asks its first rows first', async () => {
    // With many slots, several slices are fetched at once.
    const wide = await startTestServer({ ...settings, CHAT_CONCURRENCY: '256' });
    const rich = await BatchClient.create(wide, 4_000);
    const { id } = await rich.start(rowsOf('in order:', 4_000));
    await until(() => callsOf('in order:').length >= 300);
    await rich.stop(id);
    await rich.whenEnded(id);
    const asked = promptsOf('in order:').map((prompt) => Number(prompt.split(' ').at(-1)));
    // Calls that are sent together arrive in any order.
    expect(asked.slice(0, 300)).toEqual(expect.arrayContaining([...Array(16).keys()]));
  });

  it('asks the other rows while the provider delays a third of them', async () => {
    // Its own provider: in the end nothing else is asked, and the whole key has a cooldown.
    const { settings: own } = await startChat();
    const patient = await BatchClient.create(
      await startTestServer({ ...own, CHAT_CONCURRENCY: '16' }),
      3_000,
    );
    const prompts = rowsOf('others', 3_000);
    const { id } = await patient.start(
      prompts.map((prompt, row) => (row % 3 === 0 ? `[[429 retry-after 600]] ${prompt}` : prompt)),
    );
    await patient.when(id, ({ answered }) => answered === 2_000);
    await patient.stop(id);
    expect(await patient.whenEnded(id)).toMatchObject({ answered: 2_000, charged: 2_000 });
  });
});

describe('a batch of some rows of a sheet', () => {
  it.each([
    ['the selected rows', { rows: [9, 2, 2, 5] }, [2, 5, 9]],
    ['the first rows', { limit: 4 }, [0, 1, 2, 3]],
    ['the first of the selected rows', { rows: [9, 2, 5], limit: 2 }, [2, 5]],
  ])('asks and charges only %s', async (what, query, wanted) => {
    const { id } = await client.start(rowsOf(`${what}: row`, 12), { query });
    const count = wanted.length;
    expect(await client.whenEnded(id)).toMatchObject({
      rows: count,
      answered: count,
      charged: count,
    });
    expect(promptsOf(what).sort()).toEqual(wanted.map((row) => `${what}: row ${row}`));
  });
});

describe('a batch of rows that are too long to cache', () => {
  it.each([
    ['of all rows', {}, [...Array(300).keys()]],
    ['of some rows', { rows: [1, 299, 2, 258] }, [1, 2, 258, 299]],
  ])('%s asks each prompt once', async (what, query, wanted) => {
    const padding = ' x'.repeat(5_000);
    const long = (row: number) => `${what}: ${row}${padding} ${row} é`;
    const rows = Array.from({ length: 300 }, (_, row) => long(row));
    const { id } = await client.start(rows, { query });
    expect(await client.whenEnded(id)).toMatchObject({ answered: wanted.length });
    expect(promptsOf(what).toSorted()).toEqual(wanted.map(long).toSorted());
  });
});

describe('the journal of a killed process', () => {
  /** The journal is read with the next heartbeat, and is empty when its answers are stored. */
  const replay = async (entries: readonly object[]) => {
    const folder = join(server.settings.DATA_DIR ?? '', 'journal/99');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'one.jsonl');
    writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await until(() => statSync(file).size === 0);
  };
  const leaseOf = async (batchId: string) => {
    const { rows } = await sql<{ id: string; retryCount: number }>`
      select id, retry_count as "retryCount" from jobs.job
      where name = ${sliceQueueName} and data ->> 'batch_id' = ${batchId} and state = 'active'`.execute(
      server.app.ctx.db,
    );
    return rows[0] as { id: string; retryCount: number };
  };
  const entry = (batchId: string, row: number, lease: object) => ({
    batchId,
    lease,
    result: { row, state: 'answered', answer: `Recovered ${row}`, problem: null },
  });

  it('is stored and charged once, for the latest lease only', async () => {
    const { id } = await client.start(rowsOf('recovered [[held]]', 5));
    await until(() => callsOf('recovered').length === 5);
    const lease = await leaseOf(id);
    const old = { ...lease, retryCount: lease.retryCount - 1 };
    await replay([entry(id, 0, lease), entry(id, 0, lease), entry(id, 1, old)]);
    expect(await client.batch(id)).toMatchObject({ state: 'running', answered: 1, charged: 1 });
    chat.releaseHeld();
    expect(await client.whenEnded(id)).toMatchObject({ answered: 5, charged: 5 });
    expect((await client.rows(id)).map(({ answer }) => answer)).toEqual([
      'Recovered 0',
      ...[1, 2, 3, 4].map(() => expect.stringMatching(/^Answer to: recovered/)),
    ]);
  });

  it('spares a first answer that could not be used: its row is only asked for the correction', async () => {
    const column = 'mood';
    const blocking = await client.start(rowsOf('blocking [[held]]', 16));
    await until(() => callsOf('blocking').length === 16);
    const { id } = await client.start(rowsOf('spared [[corrected]]', 4), {
      query: { outputs: [column] },
    });
    await client.pause(id);
    const correction = { answer: 'I would rather talk.', problem: 'It is not split into columns.' };
    const subject = (outputs: string[]) => JSON.stringify(['fake', outputs]);
    const lease = { id: blocking.id, retryCount: 0 };
    const spared = { batchId: id, lease, correction, subject: subject([column]) };
    await replay([
      { ...spared, row: 0, tokens: { input: 1_000, cached: 0, output: 0, reasoning: 0 } },
      { ...spared, row: 1 },
      { ...spared, row: 2, subject: subject(['another column']) },
    ]);
    chat.releaseHeld();
    await client.whenEnded(blocking.id);
    await client.play(id);
    expect(await client.whenEnded(id)).toMatchObject({ answered: 4, charged: 4 });
    const calls = rowsOf('spared [[corrected]]', 4).map((prompt) => callsOf(prompt).length);
    expect(calls).toEqual([1, 1, 2, 2]);
    const [first] = await client.rows(id);
    expect(first?.tokens?.input).toBeGreaterThan(1_000);
  });

  it('adds nothing to a stopped batch', async () => {
    const { id } = await client.start(rowsOf('withheld [[hang]]', 5));
    await until(() => callsOf('withheld').length === 5);
    const lease = await leaseOf(id);
    await client.stop(id);
    await replay([entry(id, 0, lease)]);
    expect(await client.whenEnded(id)).toMatchObject({
      receipt: { answered: 0, failed: 0, skipped: 0, charged: 0, returned: 5 },
    });
    expect(await client.balance()).toBe(1_000);
  });
});
