import { signInDemoClient, startBatch } from '../../harness/api-client.ts';
import {
  behave,
  callsAt,
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { embedded, pass, readTotals } from './totals.ts';

interface Options {
  rows: number;
  kills: number;
  concurrency: number;
  /** Each server lives a random time up to this. */
  lifeMilliseconds: number;
}

export interface KillReport {
  rows: number;
  answered: number;
  failed: number;
  charged: number;
  spent: number;
  /** Input and output: what the batch has, and what the provider counted for its rows. */
  tokens: number;
  tokensOfProvider: number;
  repeatedCalls: number;
  repeatedAtMost: number;
  brokenInvariants: string[];
  /** Above zero: the batch was still running at the last kill. */
  openRowsAtLastKill: number;
}

/** A kill may repeat the calls in flight, and a few whose answers it did not leave time to write down. */
const repeatedPerCallInFlight = 1.25;

/** Kills the server again and again while a batch runs, then counts rows, charges and calls. */
export async function killRepeatedly({
  rows,
  kills,
  concurrency,
  lifeMilliseconds,
}: Options): Promise<KillReport> {
  // Slow enough for the batch to outlast all kills, even if every server lives as long as it may.
  const latency = Math.ceil((2 * concurrency * kills * lifeMilliseconds) / rows);
  await using chat = await startFakeChatProcess('--latency', `${latency}`);
  const directory = await prepareData(rows);
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}`, LOG_LEVEL: 'silent' };
  let id = '';
  for (let kill = 0; kill < kills; kill++) {
    const server = await startProduct(env, directory, { keeps: true });
    if (id === '') id = await startBatch(await signInDemoClient(server.url), rows);
    await pass(Math.random() * lifeMilliseconds);
    await kill9(server);
  }
  const { openRows } = await readTotals(embedded(directory));
  await behave(chat.url, { latency: 0 });
  const ended = await finish(env, directory, id);
  const calls = await callsAt(chat.url);
  const prompts = calls.map(({ prompt }) => prompt);
  const tokensByPrompt = new Map(
    calls.filter(({ tokens }) => tokens > 0).map(({ prompt, tokens }) => [prompt, tokens]),
  );
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  return {
    rows,
    answered: ended.answered,
    failed: ended.failed,
    charged: ended.charged,
    spent,
    tokens: (ended.tokens?.input ?? 0) + (ended.tokens?.output ?? 0),
    tokensOfProvider: tokensByPrompt.values().reduce((sum, tokens) => sum + tokens, 0),
    repeatedCalls: prompts.length - new Set(prompts).size,
    repeatedAtMost: kills * concurrency * repeatedPerCallInFlight,
    brokenInvariants,
    openRowsAtLastKill: openRows,
  };
}

async function finish(env: Record<string, string>, directory: string, id: string) {
  await using server = await startProduct(env, directory, { keeps: true });
  // Awaited here, because leaving this function stops the server.
  return await (await signInDemoClient(server.url)).whenEnded(id, 100);
}
