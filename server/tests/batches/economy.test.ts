import { beforeEach, describe, expect, it } from 'vitest';
import { resumeEconomy } from '../../src/domains/batches/lifecycle/engine-pause.ts';
import { day, hour, minute } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';
import { createSession, createUser } from '../support/users.ts';

const model = 'fake-small';
/** Half of it is 1.5, so a row costs 2 with a deadline. */
const settings = {
  name: model,
  provider_id: null,
  asked_as: model,
  label: 'Flexible',
  submissions_per_row: 3,
  input_cost: null,
  cached_cost: null,
  output_cost: null,
  options: [],
  offered_to: 'everyone' as const,
  has_flex: true,
  fallback: null,
  position: 1,
};

let client: BatchClient;
const { chat } = await startChat();
const server = await startTestServer({ CHAT_BASE_URL: chat.url, CHAT_MODEL: model });
const operator = await createUser(server, { roleId: 3 });
expect(await server.call('saveModel', settings, operator)).toMatchObject({ status: 200 });
beforeEach(async () => {
  chat.behave({ shareWithoutFlex: 0 });
  client = await BatchClient.create(server, 1_000);
  return () => expectLedgerChecksToPass(server);
});

const inHours = (hours: number) =>
  new Date(server.clock.now().getTime() + hours * hour).toISOString();
const ask = (query: object) =>
  server.ask({ questionWithVariable: '{{Prompt}}', query } as never, client.user);
const upload = async (...prompts: string[]): Promise<string> => {
  server.clock.advance(10_000);
  return (await server.upload(`Prompt,Note\n${prompts.join(',\n')},\n`, client.user)).body.file.id;
};
const tiersOf = (word: string) =>
  chat.calls
    .filter(({ prompt }) => prompt.startsWith(word))
    .map(({ options, status }) => [options?.service_tier ?? 'normal', status]);
const resume = () => resumeEconomy(server.app.ctx, {});

describe('a batch with a deadline', () => {
  it('is offered at half the price, asked in the flex tier, and charged what was promised', async () => {
    const file = await upload('cheap 1', 'cheap 2', 'cheap 3');
    const { quote } = (await ask({ file, quote: true })).body;
    expect(quote).toMatchObject({ needed: 9, economy: { now: 9, by_deadline: 6 } });
    const finish_by = inHours(10);
    const later = (await ask({ file, quote: true, finish_by })).body.quote;
    expect(later).toMatchObject({ needed: 6, economy: { now: 9, by_deadline: 6 } });
    const started = (await ask({ file, start: true, finish_by })).body.batch;
    expect(started).toMatchObject({ finish_by, price: 2, held: 6 });
    const ended = await client.whenEnded(started?.id ?? '');
    expect(ended.receipt).toEqual({ answered: 3, failed: 0, skipped: 0, charged: 6, returned: 0 });
    expect(tiersOf('cheap')).toEqual(Array(3).fill(['flex', 200]));
    expect(await client.balance()).toBe(994);
  });

  it('waits while there is no capacity, and continues without failing a row', async () => {
    chat.behave({ shareWithoutFlex: 1 });
    const prompts = Array.from({ length: 12 }, (_, row) => `waits ${row}`);
    const { id } = await start(prompts);
    const paused = await client.when(id, ({ state }) => state === 'paused');
    expect(paused).toMatchObject({ pause_reason: 'no_capacity', failed: 0, held: 24, charged: 0 });
    expect(new Set(tiersOf('waits').map(String))).toEqual(new Set(['flex,429']));
    // Its owner gets no email, and another batch is as fast as ever.
    const news = await server.call('getNotifications', {}, client.user);
    expect(news.body.notifications).toEqual([]);
    const other = await client.start(['beside 1', 'beside 2']);
    expect(await client.whenEnded(other.id)).toMatchObject({ answered: 2, charged: 6 });
    await resume();
    await client.when(id, ({ state }) => state === 'paused');
    chat.behave({ shareWithoutFlex: 0 });
    await resume();
    expect(await client.whenEnded(id)).toMatchObject({ answered: 12, failed: 0, charged: 24 });
  });

  it('asks for capacity with four batches of a client, and with the next one when one has ended', async () => {
    chat.behave({ shareWithoutFlex: 1 });
    const prompts = (batch: number) =>
      Array.from({ length: 12 }, (_, row) => `turn${batch} ${row}`);
    const ids: string[] = [];
    while (ids.length < 7) ids.push((await start(prompts(ids.length), 20 - ids.length)).id);
    for (const id of ids) await client.when(id, ({ state }) => state === 'paused');
    const calls = chat.calls.length;
    await resume();
    // The last ones have the next deadlines.
    for (const id of ids.slice(3)) await client.when(id, ({ state }) => state === 'paused');
    const asked = chat.calls.slice(calls).map(({ prompt }) => prompt.slice(0, 5));
    expect([...new Set(asked)].toSorted()).toEqual(['turn3', 'turn4', 'turn5', 'turn6']);
    chat.behave({ shareWithoutFlex: 0 });
    await resume();
    for (const id of ids) expect(await client.whenEnded(id)).toMatchObject({ answered: 12 });
  });

  it('retries rows for which there was no capacity while others find some', async () => {
    chat.behave({ shareWithoutFlex: 0.3 });
    const { id } = await start(['some 1', 'some 2', 'some 3', 'some 4', 'some 5', 'some 6']);
    expect(await client.whenEnded(id)).toMatchObject({ answered: 6, failed: 0, charged: 12 });
  });

  it('sends what is left at the normal tier in time, at the promised price, also after a restart', async () => {
    chat.behave({ shareWithoutFlex: 1 });
    const { id, finish_by } = await start(Array.from({ length: 12 }, (_, row) => `late ${row}`));
    await client.when(id, ({ state }) => state === 'paused');
    await server.restart();
    const left = new Date(finish_by ?? 0).getTime() - server.clock.now().getTime();
    server.clock.advance(left - 10 * minute);
    client.user.token = await createSession(server, client.user.id);
    await resume();
    const ended = await client.whenEnded(id);
    expect(ended).toMatchObject({ answered: 12, failed: 0, charged: 24 });
    expect(Date.parse(ended.ended_at ?? '')).toBeLessThan(Date.parse(ended.finish_by ?? ''));
    expect(tiersOf('late').filter(([tier]) => tier === 'normal')).toHaveLength(12);
  });

  it('is asked in the normal tier when the limit of the key leaves no time', async () => {
    const provider = {
      ...{ name: 'Limited', kind: 'openai' as const, address: chat.url },
      ...{ concurrency: 16, requests_per_minute: 1, is_enabled: true },
    };
    const { body } = await server.call('saveProvider', provider, operator);
    const limited = { ...settings, name: 'limited', provider_id: body.provider.id };
    await server.call('saveModel', limited, operator);
    const file = await upload(...Array.from({ length: 200 }, (_, row) => `limited ${row}`));
    const query = { file, start: true, model: 'limited', finish_by: inHours(5) };
    const { batch } = (await ask(query)).body;
    await client.when(batch?.id ?? '', ({ answered }) => answered > 0);
    await client.stop(batch?.id ?? '');
    expect(tiersOf('limited').map(([tier]) => tier)).toContain('normal');
    expect(tiersOf('limited').map(([tier]) => tier)).not.toContain('flex');
  });

  it('is asked in the normal tier in time when the provider takes few calls at once', async () => {
    const provider = {
      ...{ name: 'Narrow', kind: 'openai' as const, address: chat.url },
      ...{ concurrency: 16, is_enabled: true },
    };
    const { body } = await server.call('saveProvider', provider, operator);
    const narrow = { ...settings, name: 'narrow', provider_id: body.provider.id };
    await server.call('saveModel', narrow, operator);
    chat.behave({ overloadAbove: 2, latency: 50, shareWithoutFlex: 1 });
    const known = await client.start(
      Array.from({ length: 200 }, (_, row) => `known ${row}`),
      { query: { model: 'narrow' } },
    );
    await client.whenEnded(known.id);
    await client.receive(1_000);
    const rows = Array.from({ length: 400 }, (_, row) => `narrow ${row}`);
    const file = await upload(...rows);
    const query = { file, start: true, model: 'narrow', finish_by: inHours(5) };
    const { id = '', finish_by } = (await ask(query)).body.batch ?? {};
    await client.when(id, ({ state }) => state === 'paused');
    // With 2 at once, the rows take 10 s, and with 16, little more than a second.
    const left = Date.parse(finish_by ?? '') - server.clock.now().getTime();
    server.clock.advance(left - 15 * minute - 4_000);
    client.user.token = await createSession(server, client.user.id);
    await resume();
    await client.when(id, (one) => one.answered > 0 || one.state === 'paused');
    expect(tiersOf('narrow')).toContainEqual(['normal', 200]);
    await client.stop(id);
    chat.behave({ overloadAbove: null, latency: 0 });
  });

  it('is asked in the normal tier in time when batches of other models share the key', async () => {
    const provider = {
      ...{ name: 'Shared', kind: 'openai' as const, address: chat.url },
      ...{ concurrency: 4, limits_per: 'model' as const, is_enabled: true },
    };
    const { body } = await server.call('saveProvider', provider, operator);
    for (const name of ['shared', 'beside'])
      await server.call(
        'saveModel',
        { ...settings, name, provider_id: body.provider.id },
        operator,
      );
    chat.behave({ shareWithoutFlex: 1 });
    const file = await upload(...Array.from({ length: 40 }, (_, row) => `shared ${row}`));
    const query = { file, start: true, model: 'shared', finish_by: inHours(5) };
    const { id = '', finish_by } = (await ask(query)).body.batch ?? {};
    await client.when(id, ({ state }) => state === 'paused');
    const other = await BatchClient.create(server, 1_000);
    const slow = Array.from({ length: 60 }, (_, row) => `beside ${row} [[slow 1000]]`);
    const others = [];
    for (let batch = 0; batch < 3; batch++)
      others.push(await other.start(slow, { query: { model: 'beside' } }));
    // Alone, its rows take 100 s, and with those of three others, 400 s.
    const left = Date.parse(finish_by ?? '') - server.clock.now().getTime();
    server.clock.advance(left - 15 * minute - 500_000);
    for (const user of [client.user, other.user]) user.token = await createSession(server, user.id);
    await resume();
    // The first answers come so soon that it waits for capacity again.
    await client.when(id, (one) => one.answered > 0 || one.state === 'paused');
    expect(tiersOf('shared')).toContainEqual(['normal', 200]);
    for (const batch of others) await other.stop(batch.id);
    await client.stop(id);
  });

  it('needs as long for its rows as those that were tried, also before its first answer', async () => {
    const provider = {
      ...{ name: 'Tried', kind: 'openai' as const, address: chat.url },
      ...{ concurrency: 16, is_enabled: true },
    };
    const { body } = await server.call('saveProvider', provider, operator);
    const tried = { ...settings, name: 'tried', provider_id: body.provider.id };
    await server.call('saveModel', tried, operator);
    chat.behave({ shareWithoutFlex: 1 });
    const file = await upload(...Array.from({ length: 400 }, (_, row) => `tried ${row}`));
    const query = { file, model: 'tried', finish_by: inHours(5) };
    expect((await ask({ ...query, preview: 2 })).body.answers).toHaveLength(2);
    const { id = '', finish_by } = (await ask({ ...query, start: true })).body.batch ?? {};
    await client.when(id, ({ state }) => state === 'paused');
    // As it was tried, the rest takes seconds, and at 10 s for each row more than four minutes.
    const left = Date.parse(finish_by ?? '') - server.clock.now().getTime();
    server.clock.advance(left - 15 * minute - 200_000);
    client.user.token = await createSession(server, client.user.id);
    await resume();
    const resumed = await client.when(id, (one) => one.answered > 2 || one.state === 'paused');
    expect(resumed).toMatchObject({ answered: 2, pause_reason: 'no_capacity' });
    await client.stop(id);
  });

  it('does not wait until older batches of its client have ended', async () => {
    await client.receive(80_000);
    chat.behave({ latency: 20 });
    const older = [];
    for (let batch = 0; batch < 4; batch++)
      older.push(await client.start(Array.from({ length: 6_000 }, (_, row) => `older ${row}`)));
    const [later, sooner] = [await start(['later 1'], 11), await start(['sooner 1'])];
    for (const { id } of [sooner, later])
      expect(await client.whenEnded(id)).toMatchObject({ answered: 1 });
    for (const { id } of older) expect(await client.batch(id)).toMatchObject({ state: 'running' });
    for (const { id } of older) await client.stop(id);
    chat.behave({ latency: 0 });
  });

  it('moves its deadline while its owner holds it up, so that pausing does not buy the normal tier', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => `held ${row} [[held]]`);
    const { id, finish_by } = await start(rows);
    await client.pause(id);
    server.clock.advance(20 * hour);
    for (const user of [client.user, operator]) user.token = await createSession(server, user.id);
    await resume();
    const held = await client.batch(id);
    expect(held).toMatchObject({ state: 'paused', pause_reason: 'person', finish_by });
    await client.play(id);
    const ended = await client.releaseUntilEnded(chat, id);
    const later = Date.parse(ended.finish_by ?? '') - Date.parse(finish_by ?? '');
    expect(later).toBeGreaterThanOrEqual(20 * hour);
    expect(later).toBeLessThan(21 * hour);
    expect(ended).toMatchObject({ answered: 300, charged: 600 });
    expect(tiersOf('held').filter(([tier]) => tier === 'normal')).toEqual([]);
  });

  it('stays paused when its owner pauses it while it waits for capacity', async () => {
    chat.behave({ shareWithoutFlex: 1 });
    const { id, finish_by } = await start(Array.from({ length: 12 }, (_, row) => `kept ${row}`));
    const waiting = await client.when(id, ({ state }) => state === 'paused');
    expect(waiting.actions).toContain('pause');
    server.clock.advance(3 * hour);
    expect((await client.pause(id)).status).toBe(200);
    chat.behave({ shareWithoutFlex: 0 });
    await resume();
    const kept = await client.batch(id);
    expect(kept).toMatchObject({ state: 'paused', pause_reason: 'person', answered: 0 });
    expect(kept.actions).not.toContain('pause');
    server.clock.advance(2 * hour);
    await client.play(id);
    const ended = await client.whenEnded(id);
    // Its deadline moves by the time that its owner held it up.
    const later = Date.parse(ended.finish_by ?? '') - Date.parse(finish_by ?? '');
    expect(later).toBeGreaterThanOrEqual(2 * hour);
    expect(later).toBeLessThan(3 * hour);
  });

  it('returns what is reserved when it is stopped while it waits', async () => {
    chat.behave({ shareWithoutFlex: 1 });
    const { id } = await start(Array.from({ length: 12 }, (_, row) => `stopped ${row}`));
    await client.when(id, ({ state }) => state === 'paused');
    await client.stop(id);
    await resume();
    expect(await client.whenEnded(id)).toMatchObject({ state: 'stopped', charged: 0, held: 0 });
    expect(await client.balance()).toBe(1_000);
  });

  it('has its own previews, at its price', async () => {
    const file = await upload('tried 1', 'tried 2');
    const finish_by = inHours(10);
    await ask({ file, preview: 1 });
    await ask({ file, preview: 1, finish_by });
    expect(await client.balance()).toBe(1_000 - 3 - 2);
    const { quote } = (await ask({ file, quote: true, finish_by: inHours(11) })).body;
    expect(quote).toMatchObject({ answered: 1, needed: 2, economy: { now: 3, by_deadline: 2 } });
    const { batch } = (await ask({ file, start: true, finish_by })).body;
    expect(await client.whenEnded(batch?.id ?? '')).toMatchObject({ answered: 2, charged: 4 });
  });

  it.each([
    ['a deadline that is too soon', 3, {}],
    ['a deadline that is too late', (7 * day) / hour + 1, {}],
    ['a model without a flex tier', 10, { model: 'fake-large' }],
  ])('is refused with %s', async (_what, hours, more) => {
    const file = await upload('refused 1', 'refused 2');
    const refused = await ask({ file, quote: true, finish_by: inHours(hours), ...more });
    expect(refused).toMatchObject({
      status: 422,
      body: { fields: { 'query.finish_by': expect.any(String) } },
    });
  });

  it('is not offered when the price cannot be halved', async () => {
    const one = { ...settings, name: 'fake-large', submissions_per_row: 1 };
    expect(await server.call('saveModel', one, operator)).toMatchObject({ status: 200 });
    const file = await upload('one 1', 'one 2');
    const { quote } = (await ask({ file, quote: true, model: 'fake-large' })).body;
    expect(quote).toMatchObject({ needed: 2, economy: null });
  });

  it('cannot change to a model without a flex tier, which half its price would buy', async () => {
    const normal = { ...settings, name: 'fake-large', has_flex: false, version: 1 };
    expect(await server.call('saveModel', normal, operator)).toMatchObject({ status: 200 });
    chat.behave({ shareWithoutFlex: 1 });
    const { id } = await start(Array.from({ length: 12 }, (_, row) => `changed ${row}`));
    await client.when(id, ({ state }) => state === 'paused');
    const change = (request: object) =>
      server.call('changeBatchOptions', { id, ...request }, client.user);
    const refused = await change({ model: 'fake-large' });
    expect([refused.status, refused.body.fields]).toEqual([422, { model: expect.any(String) }]);
    // Its own model, when it has lost the flex tier, answers at the promised price.
    const lost = { ...settings, has_flex: false, version: 1 };
    expect(await server.call('saveModel', lost, operator)).toMatchObject({ status: 200 });
    expect((await change({ model })).status).toBe(200);
    await resume();
    expect(await client.whenEnded(id)).toMatchObject({ answered: 12, charged: 24 });
    expect(tiersOf('changed').filter(([tier]) => tier === 'normal')).toHaveLength(12);
    await server.call('saveModel', { ...settings, version: 2 }, operator);
  });

  async function start(prompts: string[], hours = 10) {
    const file = await upload(...prompts);
    const { body } = await ask({ file, start: true, finish_by: inHours(hours) });
    if (!body.batch) throw new Error(body.message);
    return body.batch;
  }
});
