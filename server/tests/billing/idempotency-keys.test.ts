import {
  type AnswerOf,
  type EndpointName,
  type endpoints,
  type RequestOf,
  roles,
} from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { moveCredits } from '../../src/domains/credits/ledger.ts';
import {
  purgeKeys,
  withIdempotencyKeyAroundExternalCall,
} from '../../src/domains/requests/idempotency-keys.ts';
import { after, day } from '../../src/lib/clock.ts';
import { startChat } from '../support/chat.ts';
import { pack, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { busyFor, countStatements } from '../support/statements.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

/** For each of the five calls that move submissions. */
const keysPerCall = 20;
const times = 5;
/** Keys in flight at once, each with five requests. */
const keysAtOnce = 8;

const { chat, settings } = await startChat();
const server = await startPaymentServer(settings);
const person = await createUser(server);
const operator = await createUser(server, { roleId: roles.operator });
const grant = {
  userId: person.id,
  from: 'external',
  to: 'available',
  amount: 10_000,
  cause: 'test',
} as const;
await moveCredits(server.app.ctx, grant);

type Request<N extends EndpointName> = RequestOf<(typeof endpoints)[N]>;
type Answer<N extends EndpointName> = AnswerOf<(typeof endpoints)[N]>;

const numbers = Array.from({ length: keysPerCall }, (_, number) => number);
const total = { successes: 0, replays: 0, entries: 0 };

/** Sends each request five times at once under its own key and returns one answer per key. */
async function fiveTimesEach<N extends EndpointName>(
  name: N,
  requests: readonly Request<N>[],
  caller = person,
) {
  const answers: Answer<N>[] = [];
  const counts = { successes: 0, replays: 0 };
  for (let first = 0; first < requests.length; first += keysAtOnce) {
    const some = requests.slice(first, first + keysAtOnce);
    const groups = await Promise.all(
      some.map((request, index) =>
        fiveTimes(name, request, { token: caller.token, key: `${name}-${first + index}` }),
      ),
    );
    for (const group of groups) {
      const different = new Set(group.map(withSortedKeys)).size;
      counts.successes += different;
      counts.replays += group.length - different;
      answers.push(...group.slice(0, 1));
    }
  }
  expect(counts).toEqual({ successes: keysPerCall, replays: keysPerCall * (times - 1) });
  return { answers, ...counts };
}

/** Stored answers come back with their fields in another order. */
function withSortedKeys(answer: object): string {
  const isRecord = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(answer, (_, value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

function fiveTimes<N extends EndpointName>(
  name: N,
  request: Request<N>,
  { token, key }: { token: string; key: string },
) {
  const once = async (): Promise<Answer<N>> => {
    const { status, body } = await server.call(name, request, {
      token,
      headers: { 'idempotency-key': key },
    });
    if (status === 200) return body;
    // The first request is still running.
    if (status !== 503) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
    return once();
  };
  return Promise.all(Array.from({ length: times }, once));
}

/** Expects one ledger entry per key. */
async function count(
  { successes, replays }: { successes: number; replays: number },
  cause: string,
  expected = keysPerCall,
) {
  const entries = server.app.ctx.db
    .selectFrom('credit_entries')
    .select('id')
    .where('user_id', '=', person.id);
  const found = (await entries.where('cause', 'like', `${cause}:%`).execute()).length;
  expect(found).toBe(expected);
  total.successes += successes;
  total.replays += replays;
  total.entries += keysPerCall;
}

describe('many keys, each sent five times at once', () => {
  it('start one batch each', async () => {
    const file = (await server.upload('Text\none\n', person)).body.file.id;
    const start = { questionWithVariable: '{{Text}}', query: { file, start: true } };
    const started = await fiveTimesEach(
      'askChatGpt',
      numbers.map(() => start),
    );
    expect(new Set(started.answers.map(({ batch }) => batch?.id)).size).toBe(keysPerCall);
    await count(started, 'hold');
  });

  it('ask one prompt each', async () => {
    const asker = await createUser(server);
    const grant = {
      userId: asker.id,
      from: 'external',
      to: 'available',
      amount: keysPerCall,
      cause: 'test',
    } as const;
    await moveCredits(server.app.ctx, grant);
    const calls = chat.calls.length;
    const asked = await fiveTimesEach(
      'askChatGpt',
      numbers.map((number) => ({ question: `What is ${number}?`, query: {} })),
      asker,
    );
    expect(chat.calls.length).toBe(calls + keysPerCall);
    const held = server.app.ctx.db
      .selectFrom('credit_entries')
      .select('id')
      .where('user_id', '=', asker.id);
    expect(await held.where('from_bucket', '=', 'available').execute()).toHaveLength(keysPerCall);
    await count(asked, 'question', 0);
  });

  it('adjust a balance once each', async () => {
    const adjusted = await fiveTimesEach(
      'updateCreditCount',
      numbers.map((number) => ({ user_id: person.id, change: 1 + number, reason: 'Put right.' })),
      operator,
    );
    await count(adjusted, 'adjust');
  });

  it('make and claim one order by card each', async () => {
    const made = await fiveTimesEach(
      'stripeCreditIntent',
      numbers.map(() => ({ plan: [{ id: pack, quantity: 1 }] })),
    );
    expect(server.stripe.intents.all.size).toBe(keysPerCall);
    for (const { client_secret } of made.answers)
      server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
    const claimed = await fiveTimesEach(
      'buyCredits',
      made.answers.map(({ order_id }) => ({ order_id })),
    );
    await count(claimed, 'order');
  });

  it('make and claim one order of a plan by wallet each', async () => {
    const made = await fiveTimesEach(
      'createOrder',
      numbers.map(() => ({ type: 'plan' as const, plan: { id: 'month' } })),
    );
    const { orders } = server.paypal;
    expect(orders.all.size).toBe(keysPerCall);
    for (const { approve_url } of made.answers)
      orders.approve(new URL(approve_url).searchParams.get('token') ?? '');
    const claimed = await fiveTimesEach(
      'setPlan',
      made.answers.map(({ order_id }) => ({ id: 'month', order_id })),
    );
    await count(claimed, 'order', 2 * keysPerCall);
  });

  it('give one success, four replays and one entry per key', () => {
    const keys = keysPerCall * 5;
    expect(total).toEqual({ successes: keys, replays: keys * (times - 1), entries: keys });
  });
});

it('answers a call that has taken effect although its answer cannot be stored, and lets it be repeated', async () => {
  const ctx = busyFor(server.app.ctx, 'UpdateQueryNode', 'idempotency_keys');
  const request = { userId: person.id, subjectId: person.id, key: 'busy', call: 'any', body: {} };
  const answers = async (n: number) =>
    withIdempotencyKeyAroundExternalCall(ctx, request, async () => ({ n }));
  expect(await answers(1)).toEqual({ n: 1 });
  expect(await answers(2)).toEqual({ n: 2 });
});

it('asks no more for the first answer when the client of a repeated request has gone', async () => {
  const { ctx } = server.app;
  const keyed = { userId: person.id, subjectId: person.id, key: 'left', call: '/x', body: {} };
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const first = withIdempotencyKeyAroundExternalCall(ctx, keyed, () => promise);
  const keys = ctx.db.selectFrom('idempotency_keys').select('key').where('key', '=', keyed.key);
  await until(async () => (await keys.execute()).length === 1);
  const { counted, statements } = countStatements(ctx);
  const gone = { ...counted, signal: AbortSignal.abort() };
  const repeated = withIdempotencyKeyAroundExternalCall(gone, keyed, () => promise);
  await expect(repeated).rejects.toMatchObject({ code: 'busy' });
  expect(statements()).toBe(1);
  resolve({ id: 1 });
  expect(await first).toEqual({ id: 1 });
});

it('runs a request again whose process was killed, and not one that lives', async () => {
  const { ctx } = server.app;
  const keyed = { userId: person.id, subjectId: person.id, key: 'killed', call: '/x', body: {} };
  // The process of the first request never answers, and its heartbeats end.
  void withIdempotencyKeyAroundExternalCall(ctx, keyed, () => new Promise(() => {}));
  const row = ctx.db.selectFrom('idempotency_keys').select('alive_at').where('key', '=', 'killed');
  const aliveAt = async () => (await row.executeTakeFirst())?.alive_at.getTime() ?? 0;
  await until(async () => (await aliveAt()) > 0);
  const first = await aliveAt();
  await until(async () => (await aliveAt()) > first);
  let runs = 0;
  const repeat = () =>
    withIdempotencyKeyAroundExternalCall(ctx, keyed, async () => ({ run: ++runs }));
  const repeated = [repeat(), repeat(), repeat()];
  await until(async () => (await aliveAt()) > first + 5_000);
  expect(runs).toBe(0);
  // Not the heartbeats of the request that takes over.
  const endHeartbeats = sql`
    update idempotency_keys set alive_at = now() - interval '21 seconds'
    where key = 'killed' and alive_at < now() - interval '1 second'`;
  await until(async () => (await endHeartbeats.execute(ctx.db)) && runs === 1);
  expect(await Promise.all(repeated)).toEqual([{ run: 1 }, { run: 1 }, { run: 1 }]);
});

it('returns what a prompt reserved whose process was killed, when it is repeated', async () => {
  const { db } = server.app.ctx;
  const client = await createUser(server);
  await moveCredits(server.app.ctx, { ...grant, userId: client.id, amount: 10 });
  const account = db.selectFrom('credit_accounts').select(['available', 'reserved']);
  const balance = () => account.where('user_id', '=', client.id).executeTakeFirstOrThrow();
  const options = { token: client.token, headers: { 'idempotency-key': 'asking' } };
  const ask = () => server.ask({ question: '[[held]]' }, options);
  // Its heartbeats seem to end, and it is answered after all.
  const first = ask();
  await until(async () => (await balance()).reserved === 1);
  await until(() => chat.inFlight === 1);
  let isOver = false;
  const second = ask().finally(() => {
    isOver = true;
  });
  const endHeartbeats = sql`update idempotency_keys set alive_at = now() - interval '21 seconds' where key = 'asking'`;
  await until(async () => (await endHeartbeats.execute(db)) && isOver);
  expect(await second).toMatchObject({ status: 502, body: { code: 'model_failed' } });
  expect(await balance()).toEqual({ available: 10, reserved: 0 });
  chat.releaseHeld();
  await first;
  expect(await balance()).toEqual({ available: 10, reserved: 0 });
});

describe('a key that is used again', () => {
  const withKey = (key: string, { token }: { token: string }) => ({
    token,
    headers: { 'idempotency-key': key },
  });
  const startedBatch = async (options: { token: string }, request: Request<'askChatGpt'>) =>
    (await server.ask(request, options)).body.batch?.id;

  it('asks the model again after a prompt that failed, also with another prompt', async () => {
    const client = await createUser(server, { submissions: 10 });
    const key = withKey('failed', client);
    const failing = { question: '[[status 400]]', query: {} };
    const calls = chat.calls.length;
    expect(await server.ask(failing, key)).toMatchObject({ status: 502 });
    expect(await server.ask(failing, key)).toMatchObject({ status: 502 });
    expect(chat.calls.length).toBe(calls + 2);
    const corrected = await server.ask({ question: 'Better?', query: {} }, key);
    expect(corrected).toMatchObject({ status: 200, body: { answer: expect.any(String) } });
  });

  it('starts the batch of each person who uses it for the same client', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const client = await createUser(server, { adminId: admin.id, submissions: 10 });
    const file = (await server.upload('Text\none\n', client)).body.file.id;
    const request = { questionWithVariable: '{{Text}}', query: { file, start: true } };
    const acting = { ...request, switchedAs: { user_id: client.id } };
    const own = await startedBatch(withKey('shared', client), request);
    const other = await startedBatch(withKey('shared', admin), acting);
    expect(other).toEqual(expect.any(String));
    expect(other).not.toBe(own);
  });

  it('starts another batch after a day', async () => {
    const client = await createUser(server, { submissions: 10 });
    const file = (await server.upload('Text\none\n', client)).body.file.id;
    const request = { questionWithVariable: '{{Text}}', query: { file, start: true } };
    const start = () => startedBatch(withKey('daily', client), request);
    const first = await start();
    const purgeIn = (milliseconds: number) => {
      const later = after(server.clock.now(), milliseconds);
      return purgeKeys({ ...server.app.ctx, clock: { ...server.clock, now: () => later } });
    };
    await purgeIn(day - 60_000);
    expect(await start()).toBe(first);
    await purgeIn(day + 60_000);
    expect(await start()).not.toBe(first);
  });

  it('orders a changed cart after an order whose provider did not answer', async () => {
    const buyer = await createUser(server);
    const order = (quantity: number) =>
      server.call(
        'stripeCreditIntent',
        { plan: [{ id: pack, quantity }] },
        withKey('changed', buyer),
      );
    server.stripe.dropAnswers(3);
    expect(await order(1)).toMatchObject({ status: 503 });
    const changed = (await order(2)).body;
    expect(changed.total_minor).toBe(2 * packPrice);
    expect((await order(2)).body).toEqual(changed);
  });
});
