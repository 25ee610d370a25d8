import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sheetOf, signInDemoClient } from '../server/harness/api-client.ts';
import { median } from '../server/harness/median.ts';
import { prepareData, startFakeChatProcess, startProduct } from '../server/harness/processes.ts';
import { DataDirectoryLock } from '../server/src/db/embedded/data-lock.ts';
import { maxFolders } from '../server/src/engine/answer-journal.ts';

/**
 * Compares the whole product (upload, import, start, calls, ledger, results) with a bare loop of calls, or with itself
 * without the journal of answers. Both run in turns against one fake provider, so a busy machine slows both.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    latency: { type: 'string', default: '50' },
    concurrency: { type: 'string', default: '64,256' },
    /** Compares with and without the journal, which may cost 3% of the throughput; exits with 1 when it costs more. */
    journal: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const journalRatioAtLeast = 0.97;

interface Speed {
  rowsPerSecond: number;
  cpuPerRow: number;
}

for (const concurrency of values.concurrency.split(',').map(Number)) {
  await using chat = await startFakeChatProcess('--latency', values.latency);
  const other: Speed[] = [];
  const product: Speed[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const runOther = () =>
      values.journal
        ? runProduct(chat.url, concurrency, { hasJournal: false })
        : runBare(chat.url, concurrency);
    // The order changes, because the second run of a pair may find a warmer machine.
    if (round % 2 === 0) other.push(await runOther());
    product.push(await runProduct(chat.url, concurrency));
    if (round % 2 === 1) other.push(await runOther());
  }
  const ratio = report(concurrency, { other, product });
  if (values.journal && ratio < journalRatioAtLeast) process.exitCode = 1;
}

function runBare(url: string, concurrency: number): Speed {
  const { stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'bare-loop.ts'), url, `${concurrency}`, `${rows}`],
    { encoding: 'utf8' },
  );
  return JSON.parse(stdout) as Speed;
}

async function runProduct(
  url: string,
  concurrency: number,
  { hasJournal = true } = {},
): Promise<Speed> {
  const directory = await prepareData(rows);
  using locks = new DisposableStack();
  // A process that finds no free folder works without a journal.
  for (let folder = 1; !hasJournal && folder <= maxFolders; folder++)
    locks.use(DataDirectoryLock.take(join(directory, 'journal', `${folder}`)));
  await using server = await startProduct(
    { CHAT_BASE_URL: url, CHAT_CONCURRENCY: `${concurrency}`, LOG_LEVEL: 'silent' },
    directory,
  );
  const client = await signInDemoClient(server.url);
  const sheet = sheetOf(rows);
  const cpuBefore = await client.cpuSeconds();
  const started = Date.now();
  const file = await client.upload(sheet);
  const ended = await client.whenEnded(await client.start(file, 'Say {{Row}}'), 500);
  // The server's own time of the end, because polling often would add load.
  const seconds = (Date.parse(ended.ended_at ?? '') - started) / 1000;
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows were answered.`);
  return {
    rowsPerSecond: rows / seconds,
    cpuPerRow: (((await client.cpuSeconds()) - cpuBefore) * 1000) / rows,
  };
}

/** Returns the median of the ratios. */
function report(concurrency: number, { other, product }: Record<'other' | 'product', Speed[]>) {
  const ratios = product.map(
    ({ rowsPerSecond }, round) => rowsPerSecond / (other[round]?.rowsPerSecond ?? Number.NaN),
  );
  const [otherName, name] = values.journal
    ? ['without a journal', 'with it']
    : ['bare loop', 'product'];
  const lines = [
    `${concurrency} in flight, ${rows} rows, ${other.length} rounds (median, all)`,
    `  ${otherName.padEnd(18)}${describe(other)}`,
    `  ${name.padEnd(18)}${describe(product)}`,
    `  ${'ratio'.padEnd(18)}${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(3)).join(', ')})`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return median(ratios);
}

function describe(speeds: readonly Speed[]): string {
  const cpu = median(speeds.map(({ cpuPerRow }) => cpuPerRow));
  return `${figures(speeds.map((speed) => speed.rowsPerSecond))} rows/s, ${cpu.toFixed(3)} ms of CPU per row`;
}

function figures(values: readonly number[]): string {
  return `${Math.round(median(values))} (${values.map(Math.round).join(', ')})`;
}
