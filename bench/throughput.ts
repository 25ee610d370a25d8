import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Output } from '@rowmill/contract';
import { ApiClient, sheetOf, signInDemo } from '../server/harness/api-client.ts';
import { median } from '../server/harness/figures.ts';
import { prepareData, startFakeChatProcess, startProduct } from '../server/harness/processes.ts';
import { DataDirectoryLock } from '../server/src/db/embedded/data-lock.ts';
import { maxFolders } from '../server/src/engine/answer-journal.ts';

/**
 * Compares the whole product (upload, import, start, calls, ledger, results) with a bare loop of
 * calls, with itself (without the journal of answers, or without typed columns), or with another
 * version. Both run in turns against one fake provider, so a busy machine slows both.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    latency: { type: 'string', default: '50' },
    concurrency: { type: 'string', default: '64,256' },
    /**
     * Compares with and without the journal. Exits with 1 when it costs more than 3% of throughput.
     */
    journal: { type: 'boolean', default: false },
    /** Compares plain answers with three typed columns. */
    columns: { type: 'boolean', default: false },
    /** The folder of another version, installed and built. */
    against: { type: 'string' },
  },
});
const rows = Number(values.rows);
const journalRatioAtLeast = 0.97;

interface Speed {
  rowsPerSecond: number;
  cpuPerRow: number;
}

type Settings = Record<'CHAT_BASE_URL' | 'CHAT_CONCURRENCY', string>;

const typed: Output[] = [
  { name: 'score', type: 'integer' },
  { name: 'sure', type: 'boolean' },
  { name: 'kind', type: 'choice', options: ['praise', 'complaint', 'question'] },
];

const comparison = compared();

for (const concurrency of values.concurrency.split(',').map(Number)) {
  await using chat = await startFakeChatProcess('--latency', values.latency);
  const other: Speed[] = [];
  const product: Speed[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const settings = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}` };
    // The order changes, because the second run of a pair may find a warmer machine.
    if (round % 2 === 0) other.push(await comparison.other(settings));
    product.push(await comparison.product(settings));
    if (round % 2 === 1) other.push(await comparison.other(settings));
  }
  const ratio = report(concurrency, { other, product });
  if (values.journal && ratio < journalRatioAtLeast) process.exitCode = 1;
}

function compared(): {
  names: [other: string, product: string];
  other: (settings: Settings) => Promise<Speed>;
  product: (settings: Settings) => Promise<Speed>;
} {
  const { against, journal, columns } = values;
  if (against) {
    const other = (settings: Settings) => runVersion(settings, resolve(against));
    return { names: ['other version', 'this one'], other, product: (own) => runVersion(own) };
  }
  if (columns) {
    const product = (settings: Settings) => runProduct(settings, { outputs: typed });
    return { names: ['plain text', 'typed columns'], other: runProduct, product };
  }
  const withoutJournal = (settings: Settings) => runProduct(settings, { hasJournal: false });
  return journal
    ? { names: ['without a journal', 'with it'], other: withoutJournal, product: runProduct }
    : { names: ['bare loop', 'product'], other: runBare, product: runProduct };
}

async function runBare({ CHAT_BASE_URL, CHAT_CONCURRENCY }: Settings): Promise<Speed> {
  const { stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'bare-loop.ts'), CHAT_BASE_URL, CHAT_CONCURRENCY, `${rows}`],
    { encoding: 'utf8' },
  );
  return JSON.parse(stdout) as Speed;
}

async function runProduct(
  settings: Settings,
  { hasJournal = true, outputs }: { hasJournal?: boolean; outputs?: Output[] } = {},
): Promise<Speed> {
  const directory = await prepareData();
  using locks = new DisposableStack();
  // A process that finds no free folder works without a journal.
  for (let folder = 1; !hasJournal && folder <= maxFolders; folder++)
    locks.use(DataDirectoryLock.take(join(directory, 'journal', `${folder}`)));
  await using server = await startProduct({ ...settings, LOG_LEVEL: 'silent' }, directory);
  return await runBatch(await signInDemo(server.url), outputs);
}

/** Each version makes its own database, and the submissions come from its operator. */
async function runVersion(settings: Settings, checkout?: string): Promise<Speed> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-bench-'));
  await using server = await startProduct(settings, directory, checkout ? { checkout } : {});
  const client = new ApiClient(server.url);
  const { id } = await client.signIn('client@demo.test');
  const operator = await signInDemo(server.url, 'operator');
  await operator.call('updateCreditCount', { user_id: id, change: rows, reason: 'benchmark' });
  return await runBatch(client);
}

async function runBatch(client: ApiClient, outputs: Output[] = []): Promise<Speed> {
  const sheet = sheetOf(rows);
  const cpuBefore = await client.cpuSeconds();
  const started = Date.now();
  const file = await client.upload(sheet);
  const batch = await client.start(file, 'Say {{Row}}', { outputs });
  const ended = await client.whenEnded(batch, 500);
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
  const [otherName, name] = comparison.names;
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
