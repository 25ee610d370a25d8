import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sheetOf, signInDemoClient } from '../server/harness/api-client.ts';
import { median } from '../server/harness/median.ts';
import { prepareData, startFakeChatProcess, startProduct } from '../server/harness/processes.ts';

/**
 * Compares the whole product (upload, import, start, calls, ledger, results) with a bare loop of calls.
 * Both run in turns against one fake provider, so a busy machine slows both.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    latency: { type: 'string', default: '50' },
    concurrency: { type: 'string', default: '64,256' },
  },
});
const rows = Number(values.rows);

interface Speed {
  rowsPerSecond: number;
  cpuPerRow: number;
}

for (const concurrency of values.concurrency.split(',').map(Number)) {
  await using chat = await startFakeChatProcess('--latency', values.latency);
  const bare: Speed[] = [];
  const product: Speed[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    bare.push(runBare(chat.url, concurrency));
    product.push(await runProduct(chat.url, concurrency));
  }
  report(concurrency, bare, product);
}

function runBare(url: string, concurrency: number): Speed {
  const { stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'bare-loop.ts'), url, `${concurrency}`, `${rows}`],
    { encoding: 'utf8' },
  );
  return JSON.parse(stdout) as Speed;
}

async function runProduct(url: string, concurrency: number): Promise<Speed> {
  await using server = await startProduct(
    { CHAT_BASE_URL: url, CHAT_CONCURRENCY: `${concurrency}` },
    await prepareData(rows),
  );
  const client = await signInDemoClient(server.url);
  const sheet = sheetOf(rows);
  const cpuBefore = await client.cpuSeconds();
  const started = Date.now();
  const file = await client.upload(sheet);
  const { batch } = await client.call('askChatGpt', {
    questionWithVariable: 'Say {{Row}}',
    query: { file, start: true },
  });
  const ended = await client.whenEnded(batch?.id ?? '', 500);
  // The server's own time of the end, because polling often would add load.
  const seconds = (Date.parse(ended.ended_at ?? '') - started) / 1000;
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows were answered.`);
  return {
    rowsPerSecond: rows / seconds,
    cpuPerRow: (((await client.cpuSeconds()) - cpuBefore) * 1000) / rows,
  };
}

function report(concurrency: number, bare: Speed[], product: Speed[]): void {
  const ratios = product.map(
    ({ rowsPerSecond }, round) => rowsPerSecond / (bare[round]?.rowsPerSecond ?? Number.NaN),
  );
  const lines = [
    `${concurrency} in flight, ${rows} rows, ${bare.length} rounds (median, all)`,
    `  bare loop   ${figures(bare.map((speed) => speed.rowsPerSecond))} rows/s, ${median(bare.map((speed) => speed.cpuPerRow)).toFixed(3)} ms of CPU per row`,
    `  product     ${figures(product.map((speed) => speed.rowsPerSecond))} rows/s, ${median(product.map((speed) => speed.cpuPerRow)).toFixed(3)} ms of CPU per row`,
    `  ratio       ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(3)).join(', ')})`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function figures(values: readonly number[]): string {
  return `${Math.round(median(values))} (${values.map(Math.round).join(', ')})`;
}
