import type { SmallWorld } from './small-world.ts';
import { type Draw, walk } from './walk.ts';

/** The most walks that the search for a shorter one may take. */
const patience = 600;

/** Leaves out whatever the failure does not need: first large pieces of the walk, then smaller ones, at last single steps. */
export async function shorten(world: SmallWorld, draws: readonly Draw[]): Promise<Draw[]> {
  let shortest = [...draws];
  let walks = 0;
  const fails = async (candidate: readonly Draw[]) => (await walk(world, candidate, { invariantsEvery: 1 })).failure;
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.length && walks < patience; ) {
      const candidate = shortest.toSpliced(from, size);
      walks++;
      const failure = await fails(candidate);
      if (failure) shortest = candidate.slice(0, failure.at + 1);
      else from += size;
    }
  }
  return shortest;
}
