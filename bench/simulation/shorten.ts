import type { SmallWorld } from './small-world.ts';
import { type Draw, walk } from './walk.ts';

/** The search for a shorter walk takes no longer than this. */
const patienceMilliseconds = 60_000;

/** Leaves out whatever the failure does not need: first large pieces of the walk, then smaller ones, at last single steps. */
export async function shorten(world: SmallWorld, draws: readonly Draw[]): Promise<Draw[]> {
  let shortest = [...draws];
  const until = performance.now() + patienceMilliseconds;
  const fails = async (candidate: readonly Draw[]) => (await walk(world, candidate, { invariantsEvery: 1 })).failure;
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.length && performance.now() < until; ) {
      const candidate = shortest.toSpliced(from, size);
      const failure = await fails(candidate);
      if (failure) shortest = candidate.slice(0, failure.at + 1);
      else from += size;
    }
  }
  return shortest;
}
