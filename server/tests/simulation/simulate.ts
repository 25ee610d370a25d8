import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { shorten } from './shorten.ts';
import type { SimulatedApp } from './simulated-app.ts';
import { drawSteps, type Manner, walk } from './walk.ts';

interface Options extends Manner {
  seeds: readonly number[];
  /** What is drawn for each seed. Some of it can do nothing at its moment, and is not counted. */
  steps: number;
  say: (line: string) => void;
}

export interface SimulationReport {
  seeds: number;
  /** Steps that could do something. */
  steps: number;
  /** Nothing, or how the first walk that failed can be walked again, and its shortest form. */
  failure: string | null;
}

/** Walks at random through everything that moves submissions, a walk for each seed, until one fails. */
export async function simulate(app: SimulatedApp, options: Options): Promise<SimulationReport> {
  const report: SimulationReport = { seeds: 0, steps: 0, failure: null };
  for (const seed of options.seeds) {
    const { done, failure } = await walk(app, drawSteps(seed, options.steps), options);
    report.seeds++;
    report.steps += done;
    options.say(
      `seed ${seed}: ${done} steps${failure ? ` to a failure, which is looked for now: ${failure.error}` : ''}`,
    );
    // A database in the same thread never lets the loop turn, and what is said waits for that.
    await setImmediate();
    if (!failure) continue;
    report.failure = await describeFailure(app, { ...options, seed, seen: failure });
    break;
  }
  return report;
}

interface Failed extends Manner {
  seed: number;
  steps: number;
  seen: { at: number; error: unknown };
}

const everyStep: Manner = { compareEvery: 1, invariantsEvery: 1 };

/** Walked again, with a look after every step since the last good one, it ends at the first that is wrong; then what it does not need is left out. */
async function describeFailure(
  app: SimulatedApp,
  { seed, steps, seen, compareEvery, invariantsEvery }: Failed,
): Promise<string> {
  const draws = drawSteps(seed, steps);
  // More than was drawn for the steps between two looks.
  const closelyFrom = seen.at - 2 * Math.max(compareEvery, invariantsEvery);
  const first =
    (await walk(app, draws, { compareEvery, invariantsEvery, closelyFrom })).failure ?? seen;
  const shortest = await shorten(app, draws.slice(0, first.at + 1), first.error);
  const { story, failure } = await walk(app, shortest, everyStep);
  const error =
    failure?.error instanceof Error ? failure.error.stack : `${seen.error}, but not again.`;
  const again = `--seed ${seed} --seeds 1 --steps ${steps} --compare ${compareEvery} --every ${invariantsEvery}`;
  return [
    `Seed ${seed} fails at its step ${first.at}. Walk it again: node server/tests/simulation/simulate.ts ${again}`,
    ...story,
    error,
  ].join('\n');
}

export type Share = Omit<Options, 'say'>;

/** A thread for each core: it has a app and a database of its own, and takes its share of the seeds. */
async function openThread(share: Share): Promise<Worker> {
  const thread = new Worker(new URL('./walk-in-thread.ts', import.meta.url), {
    workerData: share,
  });
  await once(thread, 'message');
  return thread;
}

async function letWalk(thread: Worker): Promise<SimulationReport> {
  thread.postMessage('go');
  const [report] = await once(thread, 'message');
  return report;
}

async function simulateInThreads(threads: number, { seeds, ...rest }: Share): Promise<void> {
  const shares = Array.from({ length: threads }, (_, thread) =>
    seeds.filter((_seed, index) => index % threads === thread),
  );
  const workers = await Promise.all(shares.map((share) => openThread({ ...rest, seeds: share })));
  const started = performance.now();
  const reports = await Promise.all(workers.map(letWalk));
  const seconds = (performance.now() - started) / 1_000;
  const steps = reports.reduce((sum, report) => sum + report.steps, 0);
  const walked = reports.reduce((sum, report) => sum + report.seeds, 0);
  const failures = reports.flatMap(({ failure }) => failure ?? []);
  const speed = `${steps} steps in ${Math.round(seconds)} s, ${Math.round(steps / seconds)} a second`;
  const end =
    failures.length > 0 ? failures.join('\n\n') : 'The reference were right at every look.';
  process.stdout.write(`${walked} seeds, ${speed}, in ${threads} threads\n${end}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '200' },
      steps: { type: 'string', default: '6000' },
      compare: { type: 'string', default: '50' },
      every: { type: 'string', default: '250' },
      threads: { type: 'string', default: `${availableParallelism()}` },
    },
  });
  const seeds = Array.from(
    { length: Number(values.seeds) },
    (_, index) => Number(values.seed) + index,
  );
  await simulateInThreads(Math.min(Number(values.threads), seeds.length), {
    seeds,
    steps: Number(values.steps),
    compareEvery: Number(values.compare),
    invariantsEvery: Number(values.every),
  });
}
