import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { shorten } from './shorten.ts';
import type { SimulatedApp } from './simulated-app.ts';
import { planSteps, type WalkOptions, walk } from './walk.ts';

interface Options extends WalkOptions {
  seeds: readonly number[];
  /** Planned steps per seed. Those that are impossible at their moment are not counted. */
  steps: number;
  say: (line: string) => void;
}

export interface SimulationReport {
  seeds: number;
  /** Steps that were possible. */
  steps: number;
  /** How to repeat the first failed walk, and its shortest form. */
  failure: string | null;
}

/** Makes random walks through everything that moves submissions, one per seed, until one fails. */
export async function simulate(app: SimulatedApp, options: Options): Promise<SimulationReport> {
  const report: SimulationReport = { seeds: 0, steps: 0, failure: null };
  for (const seed of options.seeds) {
    const { done, failure } = await walk(app, planSteps(seed, options.steps), options);
    report.seeds++;
    report.steps += done;
    options.say(
      `seed ${seed}: ${done} steps${failure ? ` until a failure, now being narrowed down: ${failure.error}` : ''}`,
    );
    // A database in the same thread blocks the event loop, and with it this output.
    await setImmediate();
    if (!failure) continue;
    report.failure = await describeFailure(app, { ...options, seed, first: failure });
    break;
  }
  return report;
}

interface FailedWalk extends WalkOptions {
  seed: number;
  steps: number;
  first: { at: number; error: unknown };
}

const afterEveryStep: WalkOptions = { compareEvery: 1, invariantsEvery: 1 };

/** Repeats the walk with checks after every step since the last good check, then shortens it. */
async function describeFailure(
  app: SimulatedApp,
  { seed, steps, first: seen, compareEvery, invariantsEvery }: FailedWalk,
): Promise<string> {
  const plan = planSteps(seed, steps);
  // At least the steps between two checks.
  const checkEveryStepFrom = seen.at - 2 * Math.max(compareEvery, invariantsEvery);
  const first =
    (await walk(app, plan, { compareEvery, invariantsEvery, checkEveryStepFrom })).failure ?? seen;
  const shortest = await shorten(app, plan.slice(0, first.at + 1), first.error);
  const { log, failure } = await walk(app, shortest, afterEveryStep);
  const error =
    failure?.error instanceof Error
      ? failure.error.stack
      : `${seen.error}, but not in the repeated walk.`;
  const again = `--seed ${seed} --seeds 1 --steps ${steps} --compare ${compareEvery} --every ${invariantsEvery}`;
  return [
    `Seed ${seed} fails at its step ${first.at}. Repeat it: node server/tests/simulation/simulate.ts ${again}`,
    ...log,
    error,
  ].join('\n');
}

export type Share = Omit<Options, 'say'>;

/** One thread per core, each with its own app, database and share of the seeds. */
async function startThread(share: Share): Promise<Worker> {
  const thread = new Worker(new URL('./walk-in-thread.ts', import.meta.url), {
    workerData: share,
  });
  await once(thread, 'message');
  return thread;
}

async function walkInThread(thread: Worker): Promise<SimulationReport> {
  thread.postMessage('go');
  const [report] = await once(thread, 'message');
  return report;
}

async function simulateInThreads(threads: number, { seeds, ...rest }: Share): Promise<void> {
  const shares = Array.from({ length: threads }, (_, thread) =>
    seeds.filter((_seed, index) => index % threads === thread),
  );
  const workers = await Promise.all(shares.map((share) => startThread({ ...rest, seeds: share })));
  const started = performance.now();
  const reports = await Promise.all(workers.map(walkInThread));
  const seconds = (performance.now() - started) / 1_000;
  const steps = reports.reduce((sum, report) => sum + report.steps, 0);
  const walked = reports.reduce((sum, report) => sum + report.seeds, 0);
  const failures = reports.flatMap(({ failure }) => failure ?? []);
  const speed = `${steps} steps in ${Math.round(seconds)} s, ${Math.round(steps / seconds)} per second`;
  const end = failures.length > 0 ? failures.join('\n\n') : 'All checks passed.';
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
