import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeChat, FakeChatOptions } from '../../../fakes/chat/server.ts';
import { OutboxMail } from '../../src/adapters/outbox-mail.ts';
import { BatchClient, whenReleased } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const probeIntervalMilliseconds = 300;

/** A provider, a server that has not called it yet, and a client. */
async function begin(behaviour: FakeChatOptions = {}, env: Record<string, string> = {}) {
  const { chat, settings } = await startChat(behaviour);
  const server = await startTestServer(
    { ...settings, CHAT_CONCURRENCY: '16', ...env },
    { probeIntervalMilliseconds },
  );
  const client = await BatchClient.create(server, 5_000);
  return { chat, server, client };
}

const rowsOf = (words: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${words} ${index}`);
const callsOf = (chat: FakeChat, words: string) =>
  chat.calls.filter(({ prompt }) => prompt.includes(words));
const probesOf = (chat: FakeChat) => callsOf(chat, 'Please answer with the word OK.');

async function emailsAbout(server: TestServer, subject: string) {
  const outbox = new OutboxMail(join(server.settings.DATA_DIR ?? '', 'outbox'), server.clock);
  return (await outbox.list()).filter((mail) => mail.subject.includes(subject));
}

describe('a provider that sends Retry-After', () => {
  let chat: FakeChat;
  let client: BatchClient;
  beforeAll(async () => {
    ({ chat, client } = await begin());
  });
  const inThreeSeconds = () => new Date(Date.now() + 3_000).toUTCString();

  it.each([
    ['in seconds', () => '[[429 retry-after 1]]', (at: number) => at + 1_000],
    ['in milliseconds', () => '[[429 retry-after-ms 700]]', (at: number) => at + 700],
    [
      'as a date',
      () => `[[429 retry-after ${inThreeSeconds()}]]`,
      (_at: number, prompt: string) => Date.parse(/retry-after (.*)\]\]/.exec(prompt)?.[1] ?? ''),
    ],
  ])(
    '%s does not get the row before that time, and the other rows do not wait',
    async (how, sentinel, earliest) => {
      const refusing = sentinel();
      const { id } = await client.start([refusing, ...rowsOf(`other ${how}`, 40)]);
      await client.when(id, ({ answered }) => answered === 40);
      await expect.poll(() => callsOf(chat, refusing).length).toBeGreaterThan(2);
      const [first, second] = callsOf(chat, refusing);
      // The fake and the product round the time differently.
      expect(second?.at).toBeGreaterThanOrEqual(earliest(first?.at ?? 0, refusing) - 2);
      // Three calls run before the first answer. If all rows waited, only two others were sent.
      const others = callsOf(chat, `other ${how}`).filter(({ at }) => at < (second?.at ?? 0));
      expect(others.length).toBeGreaterThan(2);
      await client.stop(id);
      expect(await client.whenEnded(id)).toMatchObject({ answered: 40, failed: 0, charged: 40 });
    },
  );

  it('to every call is not called until then, by batches or single prompts, even after a restart', async () => {
    const { chat, server, client } = await begin({ status: 429, retryAfter: 600 });
    const { id } = await client.start(rowsOf('after', 20));
    await expect
      .poll(() => server.app.ctx.db.selectFrom('cooldowns').selectAll().execute())
      .toHaveLength(1);
    await server.restart();
    const calls = chat.calls.length;
    // Two more are sent while the first three are refused one by one.
    expect(calls).toBeLessThanOrEqual(5);
    const { body } = await server.ask({ question: 'And now?', query: {} }, client.user);
    expect(body.message).toMatch(/asks us to wait 10 minutes/);
    await client.when(id, ({ waits_until }) => waits_until !== undefined);
    expect(chat.calls.length).toBe(calls);
    await client.stop(id);
    expect(await client.whenEnded(id)).toMatchObject({ state: 'stopped', answered: 0, held: 0 });
  });
});

describe('a provider that states its limits', () => {
  const limits = [{ bucketPerMinute: 6_000 }, { tokensPerMinute: 36_000 }];
  it.each(limits)('as %j answers nearly every call', async (limit) => {
    const { chat, client } = await begin({ ...limit, statesLimits: true, latency: 20 });
    const ended = await client.whenEnded((await client.start(rowsOf('stated', 300))).id);
    expect(ended.answered / chat.calls.length).toBeGreaterThan(0.97);
  });
});

describe('a provider that never completes some answers', () => {
  it('fails those rows after five attempts at the deadline, and all others are answered', async () => {
    const { chat, server, client } = await begin(
      {},
      { CHAT_DEADLINE_SECONDS: '1', CHAT_CONCURRENCY: '4' },
    );
    const bad = [
      '[[hang]] 1',
      '[[hang]] 2',
      '[[drip]]',
      '[[hang after headers]]',
      '[[half headers]]',
    ];
    const { id } = await client.start([...bad, ...rowsOf('good', 60)]);
    const ended = await client.whenEnded(id);
    expect(ended).toMatchObject({ state: 'completed', answered: 60, failed: 5, charged: 60 });
    for (const row of (await client.rows(id)).slice(0, 5))
      expect(row).toMatchObject({
        state: 'failed',
        problem: 'No answer came within 1 seconds. We gave up after 5 tries.',
      });
    // On a busy machine the second of a call may be over before it reaches the provider.
    for (const prompt of bad) expect(callsOf(chat, prompt).length).toBeLessThanOrEqual(5);
    await expect.poll(() => chat.inFlight).toBe(0);
    expect(await emailsAbout(server, 'is paused')).toEqual([]);
  });
});

describe('a provider that rejects our key', () => {
  let chat: FakeChat;
  let server: TestServer;
  let client: BatchClient;
  beforeAll(async () => {
    ({ chat, server, client } = await begin());
  });

  it.each([
    ['401', { status: 401 }, 'refused'],
    ['402', { status: 402 }, 'refused'],
    ['403', { status: 403 }, 'refused'],
    ['an exhausted quota', { status: null }, 'refused [[quota]]'],
  ])(
    'with %s pauses the batch after at most three calls without a lost row or submission',
    async (_what, wishes, words) => {
      chat.behave(wishes);
      const before = await client.balance();
      const calls = callsOf(chat, words).length;
      const { id } = await client.start(rowsOf(words, 60));
      const paused = await client.when(id, ({ state }) => state === 'paused');
      expect(paused).toMatchObject({
        pause_reason: 'provider_refused',
        answered: 0,
        failed: 0,
        charged: 0,
        held: 60,
      });
      expect(paused.pause_detail).toMatch(/^The provider/);
      await server.emailTo(client.user.email, 'is paused');
      expect(callsOf(chat, words).length).toBeLessThanOrEqual(calls + 3);
      await client.play(id);
      await client.when(id, ({ state }) => state === 'paused');
      expect(callsOf(chat, words).length).toBeLessThanOrEqual(calls + 6);
      await client.stop(id);
      expect(await client.whenEnded(id)).toMatchObject({
        receipt: { answered: 0, failed: 0, skipped: 0, charged: 0, returned: 60 },
      });
      expect(await client.balance()).toBe(before);
      await expectLedgerChecksToPass(server);
    },
  );

  it('is called again on resume, and every row is answered', async () => {
    chat.behave({ status: 401 });
    const { id } = await client.start(rowsOf('again', 60));
    await client.when(id, ({ state }) => state === 'paused');
    chat.behave({ status: null });
    await client.play(id);
    expect(await client.whenEnded(id)).toMatchObject({
      state: 'completed',
      answered: 60,
      charged: 60,
    });
  });
});

describe('a request that the provider refuses', () => {
  let { chat, server, client } = {} as Awaited<ReturnType<typeof begin>>;
  beforeAll(async () => {
    ({ chat, server, client } = await begin({}, { CHAT_CONCURRENCY: '64' }));
  });
  const change = (id: string, options: object) =>
    server.call('changeBatchOptions', { id, ...options }, client.user);

  it.each([
    ['an unknown model', '404', 'The provider knows no such model or address: The fake was asked'],
    ['a refused option', '400', 'The provider refused this request: The fake was asked'],
    ['a schema', '422', 'The provider could not read this request: The fake was asked'],
  ])(
    'for %s pauses the batch after at most 30 calls without a lost row',
    async (_, status, words) => {
      chat.behave({ status: Number(status), latency: 20 });
      const calls = chat.calls.length;
      const { id } = await client.start(rowsOf(`refused ${status}`, 600));
      const paused = await client.when(id, ({ state }) => state === 'paused');
      expect(paused).toMatchObject({ pause_reason: 'request_refused', failed: 0, held: 600 });
      expect(paused.pause_detail).toContain(words);
      expect(chat.calls.length).toBeLessThanOrEqual(calls + 30);
      expect(paused.actions).toContain('changeOptions');
      chat.behave({ status: null, latency: 0 });
      await whenReleased(server, id);
      const options = { model: 'fake-large', temperature: 0.5, outputs: ['mood'] };
      const changed = { ...options, state: 'paused', system: null };
      expect((await change(id, options)).body.batch).toMatchObject(changed);
      await client.play(id);
      expect(await client.whenEnded(id)).toMatchObject({ answered: 600, failed: 0, charged: 600 });
      const models = callsOf(chat, `refused ${status}`).slice(-600);
      expect(new Set(models.map(({ prompt }) => prompt)).size).toBe(600);
      await expectLedgerChecksToPass(server);
    },
  );

  it('after some answers keeps them, and asks only the missing rows again', async () => {
    const good = () => callsOf(chat, 'kept ').filter(({ status }) => status === 200).length;
    const { id } = await client.start(rowsOf('kept [[held]]', 500));
    await client.when(id, ({ answered }) => {
      chat.releaseHeld(Math.max(0, 100 - good()));
      return answered >= 100;
    });
    chat.behave({ status: 404 });
    chat.releaseHeld();
    const { answered } = await client.when(id, ({ state }) => state === 'paused');
    expect(answered).toBeGreaterThanOrEqual(100);
    const refused = await change(id, { outputs: ['mood'] });
    const problem = { outputs: expect.stringContaining('Start a new batch') };
    expect([refused.status, refused.body.fields]).toEqual([422, problem]);
    const unknown = (await change(id, { model: 'nonsense' })).body;
    expect(unknown.fields).toHaveProperty('model');
    await change(id, { model: 'fake-large' });
    chat.behave({ status: null });
    await client.play(id);
    const ended = await client.releaseUntilEnded(chat, id);
    expect(ended).toMatchObject({ state: 'completed', charged: ended.answered });
    expect(good()).toBe(ended.answered);
    await expectLedgerChecksToPass(server);
  });

  it('fails the rows of a small batch, which runs again with other options and keeps its reasons', async () => {
    chat.behave({ status: 404 });
    const { id } = await client.start(rowsOf('small', 9));
    expect(await client.whenEnded(id)).toMatchObject({ state: 'completed', failed: 9, charged: 0 });
    await change(id, { model: 'fake-large' });
    expect((await client.retryFailed(id)).status).toBe(200);
    expect(await client.whenEnded(id)).toMatchObject({ failed: 9 });
    const [failed] = await client.rows(id);
    expect(failed?.earlier_problem).toBe(failed?.problem);
    chat.behave({ down: true });
    await client.retryFailed(id);
    const [waiting] = await client.rows(id);
    expect(waiting).toMatchObject({ state: 'waiting', earlier_problem: failed?.problem });
    chat.behave({ down: false, status: null });
    await client.when(id, ({ answered }) => answered === 9);
    const [answered] = await client.rows(id);
    expect(answered).toMatchObject({ state: 'answered', earlier_problem: null });
    await expectLedgerChecksToPass(server);
  });

  it('cannot be changed while its batch runs, or when nothing is missing', async () => {
    chat.behave({ down: false, status: null });
    const { id } = await client.start(rowsOf('[[held]] running', 2));
    await expect.poll(() => chat.inFlight).toBe(2);
    expect((await change(id, {})).body.code).toBe('not_now');
    chat.releaseHeld();
    await client.whenEnded(id);
    expect((await change(id, {})).body.code).toBe('not_now');
  });
});

describe('a client with many rows', () => {
  it('does not delay another client with few rows', async () => {
    const { chat, server, client } = await begin({ latency: 100 }, { CHAT_CONCURRENCY: '8' });
    const small = await BatchClient.create(server, 100);
    const { id: many } = await client.start(rowsOf('many', 2_000));
    await client.when(many, ({ answered }) => answered > 100);
    const { id: few } = await small.start(rowsOf('few', 10));
    await small.whenEnded(few);
    const { state } = await client.batch(many);
    const places = chat.calls.flatMap(({ prompt }, place) =>
      prompt.startsWith('few') ? [place] : [],
    );
    // They take turns, so ten rows span twenty calls and the calls in flight at both ends.
    expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBeLessThanOrEqual(40);
    expect(state).toBe('running');
    await client.stop(many);
  });
});

// These have their own servers and mostly wait for later attempts, so they wait together.
describe.concurrent('a provider that fails every fifth call', () => {
  it('fails no row: all 300 are answered with at most half as many additional calls', async () => {
    const { chat, server, client } = await begin({ shareFailing: 0.2, seed: 11 });
    const ended = await client.whenEnded((await client.start(rowsOf('row', 300))).id);
    expect(ended).toMatchObject({ state: 'completed', answered: 300, failed: 0 });
    expect(ended).toMatchObject({ charged: 300, held: 0 });
    expect(callsOf(chat, 'row ').length).toBeLessThanOrEqual(450);
    expect(new Set(callsOf(chat, 'row ').map(({ status }) => status))).toEqual(
      new Set([200, 500, 502, 503, 0]),
    );
    await expectLedgerChecksToPass(server);
  });
});

describe.concurrent('a provider that is down', () => {
  it('fails no row: the batch pauses, reports it once and resumes by itself', async ({
    expect,
  }) => {
    const { chat, server, client } = await begin({ latency: 30 });
    const { id } = await client.start(rowsOf('through', 1_200));
    for (let outage = 1; outage <= 2; outage++) {
      const { answered } = await client.batch(id);
      await client.when(id, (batch) => batch.answered > answered);
      chat.behave({ down: true });
      const paused = await client.when(id, ({ state }) => state === 'paused');
      expect(paused).toMatchObject({
        pause_reason: 'provider_down',
        failed: 0,
        actions: ['play', 'pause', 'stop', 'download', 'changeOptions'],
      });
      const asked = probesOf(chat).length;
      const calls = callsOf(chat, 'through').length;
      await expect.poll(() => probesOf(chat).length).toBeGreaterThan(asked + 2);
      expect(callsOf(chat, 'through').length).toBe(calls);
      await server.emailTo(client.user.email, 'is paused');
      chat.behave({ down: false });
    }
    const ended = await client.whenEnded(id);
    expect(ended).toMatchObject({ state: 'completed', answered: 1_200, failed: 0, charged: 1_200 });
    expect(await emailsAbout(server, 'is paused')).toHaveLength(1);
    await expectLedgerChecksToPass(server);
  });

  it('is named on the paused batch when its address cannot be found', async () => {
    const { client } = await begin({}, { CHAT_BASE_URL: 'http://no-such-host.invalid/v1' });
    const { id } = await client.start(['lost']);
    expect(await client.when(id, ({ state }) => state === 'paused')).toMatchObject({
      pause_reason: 'provider_down',
      pause_detail: 'The provider’s address no-such-host.invalid cannot be found.',
    });
  });

  it('does not fail the only row of a batch', async () => {
    const { chat, client } = await begin({ down: true });
    const { id } = await client.start(['alone']);
    await client.when(id, ({ pause_reason }) => pause_reason === 'provider_down');
    chat.behave({ down: false });
    expect(await client.whenEnded(id)).toMatchObject({ answered: 1, failed: 0 });
  });

  it('lets batches be started and stopped meanwhile', async () => {
    const { chat, client } = await begin({ down: true });
    const before = await client.balance();
    const { id: first } = await client.start(rowsOf('first', 700));
    await client.when(first, ({ state }) => state === 'paused');
    const { id: second } = await client.start(rowsOf('second', 30));
    expect(await client.when(second, ({ state }) => state === 'paused')).toMatchObject({
      pause_reason: 'provider_down',
    });
    expect(callsOf(chat, 'second')).toEqual([]);
    await client.stop(first);
    expect(await client.whenEnded(first)).toMatchObject({
      answered: 0,
      receipt: { returned: 700 },
    });
    chat.behave({ down: false });
    expect(await client.whenEnded(second)).toMatchObject({ state: 'completed', answered: 30 });
    expect(await client.balance()).toBe(before - 30);
  });
});

describe.concurrent('a refusal or fault of one row', () => {
  const failed = (problem: string) => ({
    state: 'failed',
    answer: null,
    problem: expect.stringContaining(problem),
  });
  const answered = (answer: string) => ({ state: 'answered', answer, problem: null });
  const table: [prompt: string, calls: number, row: object][] = [
    ['[[status 400]]', 1, failed('The provider refused this request')],
    ['[[status 404]]', 1, failed('The provider knows no such model or address')],
    ['[[status 413]]', 1, failed('The prompt is too long for the provider')],
    ['[[status 422]]', 1, failed('The provider could not read this request')],
    ['[[passed on]]', 1, failed('The provider refused this prompt: This prompt has 9000 tokens')],
    ['[[empty]]', 1, failed('The answer was empty.')],
    ['[[length]]', 1, failed('The answer was cut off')],
    ['[[filter]]', 1, failed('content filter')],
    ['[[refusal]]', 1, failed('The model refused to answer')],
    ['[[huge]]', 1, failed('The answer is larger than 1 MiB.')],
    ['[[html]]', 5, failed('could not be read. We gave up after 5 tries.')],
    ['[[truncated]]', 5, failed('could not be read. We gave up after 5 tries.')],
    ['[[reset]]', 5, failed('We gave up after 5 tries.')],
    ['[[status 499]]', 5, failed('We gave up after 5 tries.')],
    ['[[status 500]]', 5, failed('We gave up after 5 tries.')],
    ['[[finish network_error]]', 5, failed('We gave up after 5 tries.')],
    ['[[streamed]]', 1, answered('Answer to: [[streamed]]')],
    ['[[nul]]', 1, answered('beforeafter')],
    ['[[badutf8]]', 1, answered('before\ufffdafter')],
    ['[[surrogate]]', 1, answered('before\ufffdafter')],
    ['[[plain]]', 1, answered('Plain words, whatever was asked for')],
  ];

  it('affects only that row: the others continue, and only answers are charged', async () => {
    const { chat, server, client } = await begin();
    const { id } = await client.start([...table.map(([prompt]) => prompt), ...rowsOf('other', 60)]);
    const ended = await client.whenEnded(id);
    expect(ended).toMatchObject({ state: 'completed', answered: 65, failed: 16, charged: 65 });
    const rows = await client.rows(id);
    for (const [index, [prompt, calls, row]] of table.entries()) {
      expect(rows[index], prompt).toMatchObject(row);
      expect(callsOf(chat, prompt), prompt).toHaveLength(calls);
    }
    await expectLedgerChecksToPass(server);
  });
});
