import {
  type AnswerOf,
  endpoints,
  type ProgressEvent,
  testCardPath,
  testCards,
} from '@rowmill/contract';
import {
  Caller,
  type Child,
  median,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/product-process.ts';

/**
 * What a person feels: how soon a payment is in the balance, how soon the first answer is on the screen, how soon a stop
 * stops, and what a provider that refuses some calls costs in time. The figures are differences and ratios within one run.
 */
const latencyMilliseconds = 50;
const rows = 10_000;
const concurrency = 64;

if (import.meta.main) {
  await using chat = await startFakeChatProcess('--latency', `${latencyMilliseconds}`);
  const calm = await runSeconds(chat.url);
  await behave(chat.url, { share429: 0.05, share500: 0.01 });
  const faulty = await runSeconds(chat.url);
  await behave(chat.url, { share429: 0, share500: 0 });
  say(
    `5 % of 429 and 1 % of 500: ${faulty.answered} of ${rows} rows answered, ${(faulty.seconds / calm.seconds).toFixed(2)} times as long`,
  );
  await using server = await startServer(chat.url, rows * 10);
  const caller = await signedIn(server.url);
  const credited = [];
  for (let round = 0; round < 25; round++)
    credited.push(await creditedMilliseconds(server.url, caller));
  say(
    `balance pushed ${Math.round(median(credited))} ms after a card was paid, at most ${Math.round(Math.max(...credited))}, by the provider's event alone`,
  );
  const firsts = [];
  for (let round = 0; round < 9; round++)
    firsts.push(await firstAnswerMilliseconds(server.url, caller));
  say(
    `first answer visible ${Math.round(median(firsts))} ms after the start, the provider takes ${latencyMilliseconds} (all: ${firsts.map(Math.round).join(', ')})`,
  );
  const stops = [];
  for (let round = 0; round < 5; round++) stops.push(await stopFigures(chat.url, caller));
  say(
    `stop acknowledged after ${Math.round(median(stops.map((stop) => stop.acknowledged)))} ms; the last call began ${Math.round(Math.max(...stops.map((stop) => stop.lastCall)))} ms after it was asked`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function behave(url: string, change: object): Promise<void> {
  await fetch(new URL('/behave', url), { method: 'POST', body: JSON.stringify(change) });
}

async function startServer(url: string, submissions: number): Promise<Child> {
  return startProduct(
    { CHAT_BASE_URL: url, CHAT_CONCURRENCY: `${concurrency}` },
    await prepareData(submissions),
  );
}

async function signedIn(url: string): Promise<Caller> {
  const caller = new Caller(url);
  await caller.signIn('client@demo.test');
  return caller;
}

async function startBatch(caller: Caller, count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, index) => `row ${index}`);
  const file = await caller.upload(new Blob([`Row\n${lines.join('\n')}\n`]));
  const { batch } = await caller.call('askChatGpt', {
    questionWithVariable: 'Say {{Row}}',
    query: { file, start: true },
  });
  return batch?.id ?? '';
}

async function runSeconds(url: string): Promise<{ seconds: number; answered: number }> {
  await using server = await startServer(url, rows);
  const caller = await signedIn(server.url);
  const started = Date.now();
  const ended = await caller.whenEnded(await startBatch(caller, rows), 500);
  return { seconds: (Date.parse(ended.ended_at ?? '') - started) / 1000, answered: ended.answered };
}

/** From the press of Start to the pushed event that shows an answer. */
async function firstAnswerMilliseconds(url: string, caller: Caller): Promise<number> {
  // The uploads of a minute are counted.
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  const file = await caller.upload(new Blob(['Row\none\ntwo\nthree\n']));
  return pushedAfter(caller, {
    act: () =>
      caller.call('askChatGpt', {
        questionWithVariable: `${url} {{Row}}`,
        query: { file, start: true },
      }),
    isShown: (event) => event.kind === 'batch' && event.batch.answered > 0,
  });
}

/** From the press of Pay to the pushed event with the new balance; nobody confirms the payment or asks for the balance. */
async function creditedMilliseconds(url: string, caller: Caller): Promise<number> {
  const { creditsAvailable } = await caller.call('getAvailableCredits', {});
  const { client_secret } = await caller.call('stripeCreditIntent', {
    plan: [{ id: 'pack-500', quantity: 1 }],
  });
  const payment = { client_secret, number: testCards[0].number, return_path: '/checkout' };
  return pushedAfter(caller, {
    act: () =>
      fetch(url + testCardPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payment),
      }),
    isShown: (event) => event.kind === 'credits' && event.creditsAvailable > creditsAvailable,
  });
}

interface Shown {
  act: () => Promise<unknown>;
  isShown: (event: ProgressEvent) => boolean;
}

async function pushedAfter(caller: Caller, { act, isShown }: Shown): Promise<number> {
  const stream = await caller.open(endpoints.events.path);
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const started = performance.now();
  const acted = act();
  for (let text = ''; ; ) {
    text += (await reader.read()).value ?? '';
    if (!eventsIn(text).some(isShown)) continue;
    const taken = performance.now() - started;
    await acted;
    await reader.cancel();
    return taken;
  }
}

function eventsIn(text: string): ProgressEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = '{}']) => JSON.parse(data) as ProgressEvent,
  );
}

async function stopFigures(
  chatUrl: string,
  caller: Caller,
): Promise<{ acknowledged: number; lastCall: number }> {
  await new Promise((resolve) => setTimeout(resolve, 6_500));
  const id = await startBatch(caller, rows);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const asked = Date.now();
  const { batch } = (await caller.call('stopFileProcessing', { id })) as AnswerOf<
    typeof endpoints.stopFileProcessing
  >;
  const acknowledged = Date.now() - asked;
  if (batch.state !== 'stopped') throw new Error('The batch is not stopped.');
  await caller.whenEnded(id);
  const calls = (await (await fetch(new URL('/log', chatUrl))).json()) as { at: number }[];
  return { acknowledged, lastCall: Math.max(...calls.map(({ at }) => at)) - asked };
}
