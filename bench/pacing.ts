import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Behaviour } from '../fakes/chat/behaviour.ts';
import { sheetOf, signInDemoClient } from '../server/harness/api-client.ts';
import { median } from '../server/harness/median.ts';
import {
  behave,
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/processes.ts';

/**
 * Compares the product with a script of the official client and p-limit, on providers with noise and limits. Both run in
 * turns against one fake provider, so a busy machine slows both. `--only noise` runs the scenes with that word.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '64' },
    latency: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
  },
});
const rows = Number(values.rows);

const none: Partial<Behaviour> = {
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
};

interface Run {
  rowsPerSecond: number;
  lost: number;
  /** Of all calls. */
  refused: number;
}

await using chat = await startFakeChatProcess('--latency', values.latency);
process.stdout.write(
  `${rows} rows, ${values.concurrency} in flight, ${values.latency} ms, ${values.rounds} rounds (median)\n` +
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
  await using server = await startProduct(
    { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: values.concurrency },
    await prepareData(rows),
  );
  const client = await signInDemoClient(server.url);
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

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
