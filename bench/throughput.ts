import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  Caller,
  median,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/product-process.ts';

/**
 * How much of a bare loop's speed the whole product keeps: upload, import, start, calls, ledger, results, until the last
 * answer is stored. Both run in turns against one fake provider, so that a busy machine slows both.
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
    {
      encoding: 'utf8',
    },
  );
  return JSON.parse(stdout) as Speed;
}

async function runProduct(url: string, concurrency: number): Promise<Speed> {
  await using server = await startProduct(
    { CHAT_BASE_URL: url, CHAT_CONCURRENCY: `${concurrency}` },
    await prepareData(rows),
  );
  const operator = new Caller(server.url);
  await operator.signIn('client@demo.test');
  const sheet = new Blob([
    `Row\n${Array.from({ length: rows }, (_, index) => `row ${index}`).join('\n')}\n`,
  ]);
  const cpuBefore = await operator.cpuSeconds();
  const started = Date.now();
  const file = await operator.upload(sheet);
  const { batch } = await operator.call('askChatGpt', {
    questionWithVariable: 'Say {{Row}}',
    query: { file, start: true },
  });
  const ended = await operator.whenEnded(batch?.id ?? '', 500);
  // By the server's own clock, which is ours: asking often would be work of another kind.
  const seconds = (Date.parse(ended.ended_at ?? '') - started) / 1000;
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows are answered.`);
  return {
    rowsPerSecond: rows / seconds,
    cpuPerRow: (((await operator.cpuSeconds()) - cpuBefore) * 1000) / rows,
  };
}

function report(concurrency: number, bare: Speed[], product: Speed[]): void {
  const ratios = product.map(
    ({ rowsPerSecond }, round) => rowsPerSecond / (bare[round]?.rowsPerSecond ?? Number.NaN),
  );
  const lines = [
    `${concurrency} in flight, ${rows} rows, ${bare.length} rounds (median, all)`,
    `  bare loop   ${figures(bare.map((speed) => speed.rowsPerSecond))} rows/s, ${median(bare.map((speed) => speed.cpuPerRow)).toFixed(3)} ms of CPU a row`,
    `  the product ${figures(product.map((speed) => speed.rowsPerSecond))} rows/s, ${median(product.map((speed) => speed.cpuPerRow)).toFixed(3)} ms of CPU a row`,
    `  ratio       ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(3)).join(', ')})`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function figures(values: readonly number[]): string {
  return `${Math.round(median(values))} (${values.map(Math.round).join(', ')})`;
}
