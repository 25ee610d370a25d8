import { endpoints, type ProgressEvent, testCardPath, testCards } from '@rowmill/contract';
import { type ApiClient, signInDemo, startBatch } from '../server/harness/api-client.ts';
import { median } from '../server/harness/figures.ts';
import {
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/processes.ts';

/**
 * How long users wait: for a payment to reach the balance, for the first answer on the screen, and
 * for a stop to take effect.
 */
const latencyMilliseconds = 50;
const rows = 10_000;
const concurrency = 64;

if (import.meta.main) {
  await using chat = await startFakeChatProcess('--latency', `${latencyMilliseconds}`);
  await using server = await startProduct(
    { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}` },
    await prepareData(),
  );
  const client = await signInDemo(server.url);
  const credited = [];
  for (let round = 0; round < 25; round++)
    credited.push(await creditedMilliseconds(server.url, client));
  say(
    `balance pushed ${Math.round(median(credited))} ms after a card was paid, at most ${Math.round(Math.max(...credited))}, by the provider's webhook alone`,
  );
  const firsts = [];
  for (let round = 0; round < 9; round++)
    firsts.push(await firstAnswerMilliseconds(server.url, client));
  say(
    `first answer visible ${Math.round(median(firsts))} ms after the start with a provider latency of ${latencyMilliseconds} ms (all: ${firsts.map(Math.round).join(', ')})`,
  );
  const stops = [];
  for (let round = 0; round < 5; round++) stops.push(await stopFigures(chat.url, client));
  say(
    `stop acknowledged after ${Math.round(median(stops.map((stop) => stop.acknowledged)))} ms; the last call began ${Math.round(Math.max(...stops.map((stop) => stop.lastCall)))} ms after the request`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** From pressing Start to the pushed event with the first answer. */
async function firstAnswerMilliseconds(url: string, client: ApiClient): Promise<number> {
  // Ten uploads a minute are allowed.
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  const file = await client.upload(new Blob(['Row\none\ntwo\nthree\n']));
  return millisecondsUntilPushed(client, {
    act: () =>
      client.call('askChatGpt', {
        questionWithVariable: `${url} {{Row}}`,
        query: { file, start: true },
      }),
    isExpected: (event) => event.kind === 'batch' && event.batch.answered > 0,
  });
}

/** From pressing Pay to the pushed event with the new balance, without a confirming call. */
async function creditedMilliseconds(url: string, client: ApiClient): Promise<number> {
  const { creditsAvailable } = await client.call('getAvailableCredits', {});
  const { client_secret } = await client.call('stripeCreditIntent', {
    plan: [{ id: 'pack-500', quantity: 1 }],
  });
  const payment = { client_secret, number: testCards[0].number, return_path: '/checkout' };
  return millisecondsUntilPushed(client, {
    act: () =>
      fetch(url + testCardPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payment),
      }),
    isExpected: (event) => event.kind === 'credits' && event.creditsAvailable > creditsAvailable,
  });
}

interface Watched {
  act: () => Promise<unknown>;
  isExpected: (event: ProgressEvent) => boolean;
}

async function millisecondsUntilPushed(
  client: ApiClient,
  { act, isExpected }: Watched,
): Promise<number> {
  const stream = await client.open(endpoints.events.path);
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const started = performance.now();
  const acted = act();
  for (let text = ''; ; ) {
    text += (await reader.read()).value ?? '';
    if (!eventsIn(text).some(isExpected)) continue;
    const elapsed = performance.now() - started;
    await acted;
    await reader.cancel();
    return elapsed;
  }
}

function eventsIn(text: string): ProgressEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = '{}']) => JSON.parse(data) as ProgressEvent,
  );
}

async function stopFigures(chatUrl: string, client: ApiClient) {
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  const id = await startBatch(client, rows);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const asked = Date.now();
  const { batch } = await client.call('stopFileProcessing', { id });
  const acknowledged = Date.now() - asked;
  if (batch.state !== 'stopped') throw new Error('The batch was not stopped.');
  await client.whenEnded(id);
  const calls = await callsAt(chatUrl);
  return { acknowledged, lastCall: Math.max(...calls.map(({ at }) => at)) - asked };
}
