import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  earlySliceStarts,
  lateSlicePriority,
  promptBatches,
  sliceQueueName,
  waitingPriority,
} from '../../src/domains/batches/slices/sizes.ts';
import { sumOpenRows } from '../../src/domains/batches/store/list-batches.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { modelToSave } from '../support/models.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const held = (words: string, count: number) =>
  Array.from({ length: count }, (_, row) => `${words} ${row} [[held]]`);
/** Skipped as soon as their slice is leased. */
const blank = (count: number) => Array.from({ length: count }, () => ' ');
/** The rows of early slices. */
const early = (earlySliceStarts.at(-1) ?? 0) + 512;

it('the batches of a client with many wait for their first ones, and not those of others', async () => {
  const { chat, settings } = await startChat();
  const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '16' });
  const many = await BatchClient.create(server, 10_000);
  const other = await BatchClient.create(server, 10_000);
  // Late slices of another provider, which has enough rows.
  const model = await addModel(server, chat.url);
  const { id: elsewhere } = await other.start([...blank(early), ...held('elsewhere', 1_100)], {
    query: { model },
  });
  await other.when(elsewhere, ({ skipped }) => skipped === early);
  // As many rows as the engine takes at once.
  const { id: first } = await many.start(held('first', 512));
  await many.when(first, () => chat.inFlight > 0);
  const ids = [first];
  while (ids.length < promptBatches) ids.push((await many.start(['next [[hang]]'])).id);
  const { id: waiting } = await many.start([...blank(16), ...held('waiting', 600)]);
  const { id: large } = await other.start([...blank(early), ...held('late', 1_024)]);
  const open = await sumOpenRows(server.app.ctx.db, 100, server.clock.now());
  expect(open.find((sum) => sum.model !== model)?.rows).toBe(100 + (promptBatches - 1) + 100 + 100);
  const { id: extra } = await many.start(held('extra', 1_500));
  // Of its four slices: all batches of a client have as many in the queue as one.
  const { rows: queued } = await sql<{ first: number }>`
    select first from slices where batch_id = ${extra} and state = 'queued' order by first`.execute(
    server.app.ctx.db,
  );
  expect(queued.map(({ first }) => first)).toEqual(earlySliceStarts.slice(0, 3));
  await other.when(large, ({ skipped }) => {
    chat.releaseHeld();
    return skipped === early;
  });
  expect(await many.batch(waiting)).toMatchObject({ state: 'running', skipped: 0 });
  await many.stop(ids[1] ?? '');
  // Behind what the other client has queued by then.
  const priorities = async () => {
    const { rows } = await sql<{ priority: number }>`
      select distinct priority from jobs.job
      where name = ${sliceQueueName} and data->>'batch_id' = ${waiting}`.execute(server.app.ctx.db);
    return rows.map(({ priority }) => priority);
  };
  await until(async () => !(await priorities()).includes(waitingPriority));
  expect(await priorities()).toEqual([lateSlicePriority]);
  await many.when(waiting, ({ skipped }) => {
    chat.releaseHeld();
    return skipped === 16;
  });
  expect(await other.batch(large)).toMatchObject({ state: 'running' });
  for (const id of [...ids, waiting, extra]) await many.stop(id);
  for (const id of [large, elsewhere]) await other.stop(id);
});

it('a batch goes on while the calls of another client take long', async () => {
  const { chat, settings } = await startChat();
  const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '8' });
  const quick = await BatchClient.create(server, 10_000);
  const slow = await BatchClient.create(server, 10_000);
  chat.behave({ latency: 20 });
  const prompts = Array.from({ length: 1_600 }, (_, row) => `quick ${row}`);
  const { id } = await quick.start(prompts);
  await quick.when(id, ({ answered }) => answered > 0);
  // More rows than the engine takes at once, and more slices than a client may have in the queue.
  const { id: long } = await slow.start(held('slow', 2_000));
  const { answered } = await quick.batch(id);
  expect(answered).toBeLessThan(prompts.length - 512);
  expect(await quick.whenEnded(id)).toMatchObject({ answered: prompts.length });
  expect(await slow.batch(long)).toMatchObject({ state: 'running', answered: 0 });
  await slow.stop(long);
});

it('a client whose prompts are refused until later stops no other, and tests seldom', async () => {
  const { chat, settings } = await startChat();
  const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '16' });
  const refused = await BatchClient.create(server, 10_000);
  const other = await BatchClient.create(server, 10_000);
  const { id } = await other.start(['first', ...held('long', 150)]);
  await other.when(id, () => chat.inFlight === 16);
  const prompts = Array.from({ length: 3_000 }, (_, row) => `${row} [[429 retry-after 3000]]`);
  const { id: alone } = await refused.start(prompts);
  // Answers of the other one let the refused client try again.
  const ended = await other.when(id, ({ ended_at: endedAt }) => {
    chat.releaseHeld(4);
    return endedAt !== null;
  });
  expect(ended).toMatchObject({ answered: 151, failed: 0 });
  expect(await refused.batch(alone)).toMatchObject({ answered: 0, failed: 0, charged: 0 });
  expect(chat.calls.filter(({ status }) => status === 429).length).toBeLessThan(300);
  await refused.stop(alone);
});

it('a small batch does not wait behind the leased rows of a long one of its client', async () => {
  const { chat, settings } = await startChat();
  const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '4' });
  const owner = await BatchClient.create(server, 10_000);
  const { id: long } = await owner.start(held('long', 500));
  await owner.when(long, () => chat.inFlight > 0);
  const { id: small } = await owner.start(['one', 'two', 'three']);
  const ended = await owner.when(small, ({ ended_at: endedAt }) => {
    chat.releaseHeld(1);
    return endedAt !== null;
  });
  expect(ended).toMatchObject({ state: 'completed', answered: 3 });
  expect((await owner.batch(long)).answered).toBeLessThan(100);
  await owner.stop(long);
});

it('a late part of a batch goes on while another client starts batches', async () => {
  const { chat, settings } = await startChat();
  const server = await startTestServer({ ...settings, CHAT_CONCURRENCY: '64' });
  const slow = await BatchClient.create(server, 10_000);
  const busy = await BatchClient.create(server, 10_000);
  const { id: late } = await slow.start([...blank(early), ...held('late', 3_000)]);
  await slow.when(late, ({ skipped }) => skipped === early);
  const ids: string[] = [];
  while (ids.length < promptBatches) ids.push((await busy.start(held('new', 1_000))).id);
  for (const id of ids) await busy.releaseUntilEnded(chat, id);
  const { answered } = await slow.batch(late);
  expect(answered).toBeGreaterThan(2_000);
  await slow.stop(late);
});

async function addModel(server: TestServer, address: string): Promise<string> {
  const operator = await createUser(server, { roleId: 3 });
  const provider = { name: 'Other', kind: 'openai' as const, address, is_enabled: true };
  const { body } = await server.call('saveProvider', { ...provider, concurrency: 1 }, operator);
  const model = { ...modelToSave, provider_id: body.provider.id, submissions_per_row: 0 };
  expect(await server.call('saveModel', model as never, operator)).toMatchObject({ status: 200 });
  return model.name;
}
