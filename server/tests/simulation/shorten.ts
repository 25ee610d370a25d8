import type { SimulatedApp } from './simulated-app.ts';
import { type PlannedStep, walk } from './walk.ts';

/** The most time to look for a shorter walk. */
const timeLimitMilliseconds = 120_000;

/** Drops steps that the failure does not need: large pieces first, single steps last. */
export async function shorten(
  app: SimulatedApp,
  plan: readonly PlannedStep[],
  error: unknown,
): Promise<PlannedStep[]> {
  let shortest = [...plan];
  const until = performance.now() + timeLimitMilliseconds;
  const fails = async (candidate: readonly PlannedStep[]) => {
    // Checking after each step of a long walk takes longer than the steps.
    const every = Math.ceil(candidate.length / 100);
    return (await walk(app, candidate, { compareEvery: every, invariantsEvery: every })).failure;
  };
  for (
    let size = Math.ceil(shortest.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < shortest.length && performance.now() < until; ) {
      const candidate = shortest.toSpliced(from, size);
      const failure = await fails(candidate);
      if (failure && kindOf(failure.error) === kindOf(error))
        shortest = candidate.slice(0, failure.at + 1);
      else from += size;
    }
  }
  return shortest;
}

/** Numbers and ids differ between walks of different lengths. */
function kindOf(error: unknown): string {
  return String(error).replace(/[\da-f]+(-[\da-f]+){4}|\d+/g, '');
}
