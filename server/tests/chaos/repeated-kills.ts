import { signInDemoClient, startBatch } from '../../harness/api-client.ts';
import {
  behave,
  callsAt,
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { modelBySize } from '../support/models.ts';
import { embedded, pass, readTotals } from './totals.ts';

interface Options {
  rows: number;
  kills: number;
  concurrency: number;
  /** Each server lives a random time up to this. */
  lifeMilliseconds: number;
  /** A row costs a submission for each started number of tokens. */
  priceTokens?: number;
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
  /** What the rows cost by what the provider counted. */
  sizes: number;
  repeatedCalls: number;
  repeatedAtMost: number;
  brokenInvariants: string[];
  /** Above zero: the batch was still running at the last kill. */
  openRowsAtLastKill: number;
}

/** A kill may repeat the calls in flight, and a few whose answers it did not leave time to write down. */
const repeatedPerCallInFlight = 1.25;
/** More than a row may cost by size. */
const mostPerRow = 20;

/** Kills the server again and again while a batch runs, then counts rows, charges and calls. */
export async function killRepeatedly({
  rows,
  kills,
  concurrency,
  lifeMilliseconds,
  priceTokens,
}: Options): Promise<KillReport> {
  // Slow enough for the batch to outlast all kills, even if every server lives as long as it may.
  const latency = Math.ceil((2 * concurrency * kills * lifeMilliseconds) / rows);
  await using chat = await startFakeChatProcess('--latency', `${latency}`);
  const directory = await prepareData(priceTokens ? rows * mostPerRow : rows);
  if (priceTokens) await priceBySize(directory, priceTokens);
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
  const tokensOfRows = [...tokensByPrompt.values()];
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  return {
    rows,
    answered: ended.answered,
    failed: ended.failed,
    charged: ended.charged,
    spent,
    tokens: (ended.tokens?.input ?? 0) + (ended.tokens?.output ?? 0),
    tokensOfProvider: tokensOfRows.reduce((sum, tokens) => sum + tokens, 0),
    sizes: tokensOfRows.reduce(
      (sum, tokens) => sum + Math.ceil(tokens / (priceTokens ?? tokens)),
      0,
    ),
    repeatedCalls: prompts.length - new Set(prompts).size,
    repeatedAtMost: kills * concurrency * repeatedPerCallInFlight,
    brokenInvariants,
    openRowsAtLastKill: openRows,
  };
}

/** Of the model of the harness. */
async function priceBySize(directory: string, priceTokens: number): Promise<void> {
  await using database = await openDatabase(embedded(directory));
  await database.db
    .insertInto('models')
    .values(modelBySize({ name: 'fake', priceTokens, answerTokens: 20 }))
    .execute();
}

async function finish(env: Record<string, string>, directory: string, id: string) {
  await using server = await startProduct(env, directory, { keeps: true });
  // Awaited here, because leaving this function stops the server.
  return await (await signInDemoClient(server.url)).whenEnded(id, 100);
}
