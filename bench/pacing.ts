import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Behaviour } from '../fakes/chat/behaviour.ts';
import { sheetOf, signInDemoClient } from '../server/harness/api-client.ts';
import { median } from '../server/harness/median.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import {
  behave,
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/processes.ts';

/**
 * Compares the product with a script of the official client and p-limit, on providers with noise and limits. Both run in
 * turns against one fake provider, so a busy machine slows both. `--only noise` runs the scenes with that word,
 * `--workers 2` with as many worker processes on a PostgreSQL of its own. All scenes take about five minutes a round.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '64' },
    latency: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
  },
});
const rows = Number(values.rows);
const workers = Number(values.workers);

const none: Partial<Behaviour> = {
  latency: Number(values.latency),
  share429: 0,
  share500: 0,
  retryAfter: null,
  retryAfterAs: 'seconds',
  bucketPerMinute: null,
  tokensPerMinute: null,
  overloadAbove: null,
};
const scenes: Record<string, Partial<Behaviour>> = {
  'no fault': {},
  '1% noise, 1 s': { share429: 0.01, retryAfter: 1 },
  '5% noise, 1 s, and 1% of 500': { share429: 0.05, share500: 0.01, retryAfter: 1 },
  '5% noise, 250 ms': { share429: 0.05, retryAfter: 0.25, retryAfterAs: 'milliseconds' },
  '5% noise, a date': { share429: 0.05, retryAfter: 2, retryAfterAs: 'date' },
  '20% noise without a time': { share429: 0.2 },
  'limit of 300 calls a second': { bucketPerMinute: 18_000, retryAfterAs: 'milliseconds' },
  'limit of 300 calls a second, whole seconds': { bucketPerMinute: 18_000 },
  'limit of 3,000 tokens a second': { tokensPerMinute: 180_000, retryAfterAs: 'milliseconds' },
  'overload above 32 calls': { overloadAbove: 32 },
  'slow provider, 1 s': { latency: 1_000 },
};

interface Run {
  rowsPerSecond: number;
  lost: number;
  /** Of all calls. */
  refused: number;
}

const chat = await startFakeChatProcess('--latency', values.latency);
const postgres = workers > 1 ? await startOwnPostgres() : null;
const shared = { DEMO: 'off', DATABASE_URL: postgres?.url ?? '' };
if (postgres) {
  // All runs use this database, and submissions are given once.
  const runs = Object.keys(scenes).length * Number(values.rounds);
  rmSync(await prepareData(rows * runs, shared), { recursive: true });
}
process.stdout.write(
  `${rows} rows, ${values.concurrency} in flight, ${values.latency} ms, ${workers} workers, ${values.rounds} rounds (median)\n` +
    '| provider | product, rows/s | script, rows/s | ratio | lost by product, script | refused calls of product, script |\n| --- | --- | --- | --- | --- | --- |\n',
);
for (const [name, behaviour] of Object.entries(scenes)) {
  if (!name.includes(values.only)) continue;
  await behave(chat.url, { ...none, ...behaviour });
  const product: Run[] = [];
  const script: Run[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    product.push(await measured(runProduct));
    script.push(await measured(runScript));
  }
  const of = (runs: Run[], key: keyof Run) => median(runs.map((run) => run[key]));
  const speeds = [of(product, 'rowsPerSecond'), of(script, 'rowsPerSecond')] as const;
  process.stdout.write(
    `| ${name} | ${Math.round(speeds[0])} | ${Math.round(speeds[1])} | ${(speeds[0] / speeds[1]).toFixed(2)} | ${of(product, 'lost')}, ${of(script, 'lost')} | ${percent(of(product, 'refused'))}, ${percent(of(script, 'refused'))} |\n`,
  );
}

await postgres?.[Symbol.asyncDispose]();
await chat[Symbol.asyncDispose]();
// The library of the PostgreSQL would leave the process open.
process.exit();

async function measured(run: () => Promise<Omit<Run, 'refused'>>): Promise<Run> {
  const before = (await callsAt(chat.url)).length;
  const result = await run();
  const calls = (await callsAt(chat.url)).slice(before);
  const refused = calls.filter(({ status }) => status === 429 || status === 503).length;
  return { ...result, refused: refused / calls.length };
}

async function runScript(): Promise<Omit<Run, 'refused'>> {
  const program = join(import.meta.dirname, 'sdk-loop.ts');
  const child = spawn(process.execPath, [program, chat.url, values.concurrency, `${rows}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as Omit<Run, 'refused'>;
}

async function runProduct(): Promise<Omit<Run, 'refused'>> {
  await using stack = new AsyncDisposableStack();
  const client = await signInDemoClient(await startServers(stack));
  const sheet = sheetOf(rows);
  const started = Date.now();
  const file = await client.upload(sheet);
  const { batch } = await client.call('askChatGpt', {
    questionWithVariable: 'Say {{Row}}',
    query: { file, start: true },
  });
  const ended = await client.whenEnded(batch?.id ?? '', 500);
  const seconds = (Date.parse(ended.ended_at ?? '') - started) / 1_000;
  return { rowsPerSecond: ended.answered / seconds, lost: rows - ended.answered };
}

/** The address of the product. The data directory is shared by its processes. */
async function startServers(stack: AsyncDisposableStack): Promise<string> {
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: values.concurrency };
  if (!postgres) return stack.use(await startProduct(env, await prepareData(rows))).url;
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-pacing-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const start = async (roles: string) =>
    stack.use(await startProduct({ ...env, ...shared, SERVE: roles }, directory, { keeps: true }))
      .url;
  const url = await start('site,auth,plan,main');
  for (let worker = 0; worker < workers; worker++) await start('worker');
  return url;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
