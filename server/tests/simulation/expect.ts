import { Refusal } from '../../src/core/refusal.ts';
import type { Chance } from './chance.ts';
import { SimulatedCrash } from './faults.ts';
import type { SimulatedApp } from './simulated-app.ts';

/** What a call must answer, and what it then changes in the reference. */
export interface Expected<T = unknown> {
  /** `ok`, the code of a refusal, or the name of the constraint that holds. */
  outcome: string;
  change?: (answer: T) => void;
}

/** The product and the reference differ. */
export class Difference extends Error {}

const crashChance = 0.04;
/** The most calls that a use case makes to the outside of the database. */
const outsideCalls = 6;

/** Makes a call, now and then with the death of the process in its midst, and holds it against what the reference expect. */
export async function hold<T>(
  { faults }: SimulatedApp,
  chance: Chance,
  { expected, call }: { expected: Expected<T>; call: () => Promise<T> },
): Promise<string> {
  if (chance.is(crashChance)) faults.arm(chance.below(outsideCalls));
  const { outcome, answer } = await outcomeOf(call());
  faults.disarm();
  if (outcome === 'crash') return 'crash';
  if (outcome !== expected.outcome)
    throw new Difference(`answered ${outcome} instead of ${expected.outcome}`);
  if (outcome === 'ok') expected.change?.(answer as T);
  return outcome;
}

export async function outcomeOf<T>(call: Promise<T>): Promise<{ outcome: string; answer?: T }> {
  try {
    return { outcome: 'ok', answer: await call };
  } catch (error) {
    if (error instanceof SimulatedCrash) return { outcome: 'crash' };
    if (error instanceof Refusal) return { outcome: error.code };
    const { constraint } = error as { constraint?: string };
    if (constraint) return { outcome: constraint };
    throw error;
  }
}
