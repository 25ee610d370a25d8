import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { hour } from '../../src/lib/clock.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';
import { until } from '../support/waiting.ts';

const rows = 40;
/** The calls in flight until a provider has answered once. */
const firstCalls = 3;
const prompts = Array.from({ length: rows }, (_, row) => `[[held]] row ${row}`);

/** A server that runs a batch, and a single prompt that its client waits for. */
async function begin(shutdownMilliseconds: number) {
  const { chat, settings } = await startChat();
  const server = await startTestServer(settings, { shutdownMilliseconds });
  const client = await BatchClient.create(server, 100);
  const { id } = await client.start(prompts);
  await until(() => chat.inFlight === firstCalls);
  const prompt = server.ask({ question: '[[held]] Still there?', query: {} }, client.user);
  await until(() => chat.inFlight === firstCalls + 1);
  return { chat, server, client, id, prompt };
}

it('a shutdown ends the calls of batches while a request waits for its answer', async () => {
  const { chat, server, client, id, prompt } = await begin(hour);
  const heartbeats = async () => {
    const leased = sql<{ at: Date }>`
      select heartbeat_on as at from jobs.job where data->>'batch_id' = ${id} and state = 'active'`;
    return (await leased.execute(server.app.ctx.db)).rows.map(({ at }) => at.getTime());
  };
  const stopped = server.app[Symbol.asyncDispose]();
  const last = Math.max(...(await heartbeats()));
  await until(async () => {
    const times = await heartbeats();
    return times.length > 0 && Math.min(...times) > last;
  });
  chat.releaseHeld(firstCalls);
  await until(async () => (await heartbeats()).length === 0);
  expect([chat.calls.length, chat.inFlight]).toEqual([firstCalls + 1, 1]);
  chat.releaseHeld();
  expect(await prompt).toMatchObject({ status: 200, body: { answer: expect.any(String) } });
  await stopped;
  await server.restart();
  expect(await client.releaseUntilEnded(chat, id)).toMatchObject({ answered: rows, failed: 0 });
  expect(chat.calls).toHaveLength(rows + 1);
  await expectLedgerChecksToPass(server);
});

it('a shutdown tells the person whose prompt is not answered in time', async () => {
  const { chat, server, client, id, prompt } = await begin(100);
  const stopped = server.app[Symbol.asyncDispose]();
  expect(await prompt).toMatchObject({
    status: 502,
    body: {
      code: 'model_failed',
      message: 'The server stopped before the answer arrived. Nothing was charged.',
    },
  });
  await stopped;
  await server.restart();
  expect(await client.releaseUntilEnded(chat, id)).toMatchObject({ answered: rows, failed: 0 });
  expect(await client.balance()).toBe(100 - rows);
  await expectLedgerChecksToPass(server);
});
