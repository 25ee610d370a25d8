import { signInDemo, startBatch } from '../../harness/api-client.ts';
import {
  behave,
  callsAt,
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
  whenCalled,
} from '../../harness/processes.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { model, modelBySize } from '../support/models.ts';
import { broken, embedded, readTotals, repeatedIn } from './totals.ts';

interface Options {
  rows: number;
  kills: number;
  concurrency: number;
  /** A row costs a submission for this many tokens, rounded up. */
  priceTokens?: number;
}

export interface KillReport {
  rows: number;
  answered: number;
  failed: number;
  charged: number;
  spent: number;
  /** Input and output tokens: of the batch, of one call for each row, and of all calls. */
  tokens: number;
  tokensOfRows: number;
  tokensOfCalls: number;
  /** For each token, in what the model costs for one. */
  costPerToken: number;
  /** What the rows cost by what the provider counted. */
  sizes: number;
  mostTokensOfRow: number;
  repeatedCalls: number;
  repeatedAtMost: number;
  brokenInvariants: string[];
  /** Above zero: the batch was still running at the last kill. */
  openRowsAtLastKill: number;
}

/** A kill may repeat the calls in flight, and a few whose answers were not written yet. */
export const repeatedPerCallInFlight = 1.25;
/** The last kill is far from the end of the batch, also when it comes late. */
const shareUntilLastKill = 0.5;
const latencyMilliseconds = 200;
/** In trillionths of the currency, of every kind. */
const tokenCost = 3_000_000;

/** Kills the server again and again while a batch runs, then counts rows, charges and calls. */
export async function killRepeatedly({
  rows,
  kills,
  concurrency,
  priceTokens,
}: Options): Promise<KillReport> {
  await using chat = await startFakeChatProcess('--latency', `${latencyMilliseconds}`);
  const directory = await prepareData();
  await setUpModel(directory, priceTokens);
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}`, LOG_LEVEL: 'silent' };
  let id = '';
  for (let kill = 0; kill < kills; kill++) {
    const server = await startProduct(env, directory, { keeps: true });
    if (id === '') id = await startBatch(await signInDemo(server.url), rows);
    const life = 1 + Math.random() * (shareUntilLastKill / kills) * rows;
    await whenCalled(chat.url, (await callsAt(chat.url)).length + life);
    await kill9(server);
  }
  const { openRows } = await readTotals(embedded(directory));
  await behave(chat.url, { latency: 0 });
  const ended = await finishBatch(env, directory, id);
  const calls = await callsAt(chat.url);
  const prompts = calls.map(({ prompt }) => prompt);
  const tokensByPrompt = new Map(
    calls.filter(({ tokens }) => tokens > 0).map(({ prompt, tokens }) => [prompt, tokens]),
  );
  const tokensOfRows = [...tokensByPrompt.values()];
  const tokens = (ended.tokens?.input ?? 0) + (ended.tokens?.output ?? 0);
  const { spent, cost, brokenInvariants } = await readTotals(embedded(directory));
  return {
    rows,
    answered: ended.answered,
    failed: ended.failed,
    charged: ended.charged,
    spent,
    tokens,
    tokensOfRows: sumOf(tokensOfRows),
    tokensOfCalls: sumOf(calls.map(({ tokens }) => tokens)),
    costPerToken: cost / tokens / tokenCost,
    sizes: tokensOfRows.reduce(
      (sum, tokens) => sum + Math.ceil(tokens / (priceTokens ?? tokens)),
      0,
    ),
    mostTokensOfRow: Math.max(0, ...tokensOfRows),
    repeatedCalls: repeatedIn(prompts),
    repeatedAtMost: kills * concurrency * repeatedPerCallInFlight,
    brokenInvariants,
    openRowsAtLastKill: openRows,
  };
}

/**
 * The promises of docs/failure.md that a report breaks. A stored answer has the tokens and the cost
 * of the one call that gave it, so the batch has those of one call of each row, however often it
 * was sent. The provider counted more only for the calls whose answers a kill lost, and these are
 * among the repeated ones.
 */
export function missesOf({ rows, ...report }: KillReport): string[] {
  const most = report.repeatedAtMost;
  return broken({
    'every row is answered': report.answered === rows && report.failed === 0,
    'the charge is what was spent': report.charged === report.spent,
    'the batch has the tokens of one call of each row': report.tokens === report.tokensOfRows,
    'the batch has the cost of its tokens': report.costPerToken === 1,
    [`at most ${most} calls are repeated`]: report.repeatedCalls <= most,
    'other tokens are those of repeated calls':
      report.tokensOfCalls - report.tokens <= report.repeatedCalls * report.mostTokensOfRow,
    'all ledger checks pass': report.brokenInvariants.length === 0,
  });
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** The model of the harness. */
async function setUpModel(directory: string, priceTokens: number | undefined): Promise<void> {
  await using database = await openDatabase(embedded(directory));
  const name = 'fake';
  const settings = priceTokens ? modelBySize({ name, priceTokens, answerTokens: 20 }) : model(name);
  const costs = { input_cost: tokenCost, cached_cost: tokenCost, output_cost: tokenCost };
  await database.db
    .insertInto('models')
    .values({ ...settings, ...costs })
    .execute();
}

/** Starts the server again and waits for the end of the batch. */
export async function finishBatch(env: Record<string, string>, directory: string, id: string) {
  await using server = await startProduct(env, directory, { keeps: true });
  // Awaited here, because leaving this function stops the server.
  return await (await signInDemo(server.url)).whenEnded(id, 100);
}
