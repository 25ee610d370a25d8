import { Refusal } from '../../src/core/refusal.ts';
import { SimulatedCrash } from './faults.ts';
import type { Random } from './random.ts';
import type { SimulatedApp } from './simulated-app.ts';

/** What a call must answer, and how it then changes the reference. */
export interface ExpectedOutcome<T = unknown> {
  /** `ok`, the code of a refusal, or the name of a violated constraint. */
  outcome: string;
  change?: (answer: T) => void;
}

/** The product and the reference differ. */
export class Mismatch extends Error {}

const crashChance = 0.04;
/** The most calls of a use case outside the database. */
const callsOutside = 6;

/** Makes a call, sometimes with a crash in the middle, and checks its outcome. */
export async function expectCall<T>(
  { faults }: SimulatedApp,
  random: Random,
  { expected, call }: { expected: ExpectedOutcome<T>; call: () => Promise<T> },
): Promise<string> {
  if (random.chance(crashChance)) faults.arm(random.below(callsOutside));
  const { outcome, answer } = await outcomeOf(call());
  faults.disarm();
  if (outcome === 'crash') return 'crash';
  if (outcome !== expected.outcome)
    throw new Mismatch(`answered ${outcome} instead of ${expected.outcome}`);
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

export function same(what: string, found: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== should) throw new Mismatch(`${what} is ${is} instead of ${should}`);
}
