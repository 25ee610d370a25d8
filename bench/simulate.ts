import { parseArgs } from 'node:util';
import { shorten } from './simulation/shorten.ts';
import { openSmallWorld, type SmallWorld } from './simulation/small-world.ts';
import { drawSteps, walk } from './simulation/walk.ts';

interface Options {
  /** The first seed; the next ones follow it. */
  seed: number;
  seeds: number;
  steps: number;
  /** The product is held against the books after so many steps, and the invariants are looked at. */
  compareEvery: number;
  invariantsEvery: number;
  say: (line: string) => void;
}

export interface SimulationReport {
  seeds: number;
  /** Steps that could do something. */
  steps: number;
  seconds: number;
  /** Nothing, or how the first walk that failed can be walked again, and its shortest form. */
  failure: string | null;
}

/** Walks at random through everything that moves submissions, a walk for each seed, until one fails. */
export async function simulate(world: SmallWorld, options: Options): Promise<SimulationReport> {
  const { seed: first, seeds, steps, compareEvery, invariantsEvery, say } = options;
  const started = performance.now();
  const report: SimulationReport = { seeds: 0, steps: 0, seconds: 0, failure: null };
  for (let seed = first; seed < first + seeds && !report.failure; seed++) {
    const { done, failure } = await walk(world, drawSteps(seed, steps), { compareEvery, invariantsEvery });
    report.seeds++;
    report.steps += done;
    report.seconds = (performance.now() - started) / 1_000;
    if (failure) {
      say(`seed ${seed} fails: ${failure.error}`);
      report.failure = await describeFailure(world, { seed, steps: failure.at + 1, error: failure.error });
    } else say(`seed ${seed}: ${done} steps, ${Math.round(report.steps / report.seconds)} a second`);
  }
  return report;
}

interface Failed {
  seed: number;
  steps: number;
  error: unknown;
}

/** The same walk again, without the steps that it does not need to fail. */
async function describeFailure(world: SmallWorld, { seed, steps, error: known }: Failed): Promise<string> {
  const shortest = await shorten(world, drawSteps(seed, steps), known);
  const { story, failure } = await walk(world, shortest, { compareEvery: 1, invariantsEvery: 1 });
  const error = failure?.error instanceof Error ? failure.error.stack : `${known}, but not again.`;
  return [`Seed ${seed} fails. Walk it again: node bench/simulate.ts --seed ${seed} --seeds 1`, ...story, error].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '200' },
      steps: { type: 'string', default: '1000' },
      compare: { type: 'string', default: '4' },
      every: { type: 'string', default: '25' },
    },
  });
  await using world = await openSmallWorld({ kind: 'embedded', directory: null });
  const { failure, seeds, steps, seconds } = await simulate(world, {
    seed: Number(values.seed),
    seeds: Number(values.seeds),
    steps: Number(values.steps),
    compareEvery: Number(values.compare),
    invariantsEvery: Number(values.every),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  const summary = `${seeds} seeds, ${steps} steps in ${Math.round(seconds)} s, ${Math.round(steps / seconds)} steps a second`;
  process.stdout.write(`${summary}\n${failure ?? 'The books were right after every step.'}\n`);
  process.exitCode = failure ? 1 : 0;
}
