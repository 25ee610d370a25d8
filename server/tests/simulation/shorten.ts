import type { SimulatedApp } from './simulated-app.ts';
import { type Draw, walk } from './walk.ts';

/** The search for a shorter walk takes no longer than this. */
const patienceMilliseconds = 120_000;

/** Leaves out whatever this failure does not need: first large pieces of the walk, then smaller ones, at last single steps. */
export async function shorten(
  app: SimulatedApp,
  draws: readonly Draw[],
  error: unknown,
): Promise<Draw[]> {
  let shortest = [...draws];
  const until = performance.now() + patienceMilliseconds;
  const fails = async (candidate: readonly Draw[]) => {
    // To look after each step of a long walk takes longer than the steps.
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

/** Walks of different lengths fail with different numbers and names. */
function kindOf(error: unknown): string {
  return String(error).replace(/[\da-f]+(-[\da-f]+){4}|\d+/g, '');
}
