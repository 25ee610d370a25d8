import { fullJitter } from '../lib/backoff.ts';
import type { ChatOutcome } from './port.ts';

export const attemptsAtMost = 5;
/** A row that is put off so often, while others are answered, is the reason itself: it asks for more than a limit ever allows. */
export const postponedAtMost = 50;
const retryWait = { floor: 500, ceiling: 30_000 };
/** A refusal says nothing of the row; how many calls leave is not for the row's wait to decide, but for the pace. */
const refusedWait = { floor: 100, ceiling: 1_000 };

/** What becomes of a row after a call. */
export type RowDecision =
  | { act: 'save'; answer: string }
  | { act: 'fail'; problem: string }
  | { act: 'retry'; waitMilliseconds: number; attempts: number }
  | { act: 'pause'; detail: string }
  | { act: 'drop' };

interface Situation {
  /** Failed calls of this row so far. */
  attempts: number;
  /** How often it was put off while others were answered, with this time. */
  postponed: number;
  /** The provider is known to be down: then a failure says nothing about the row. */
  isProviderDown: boolean;
  random?: () => number;
}

/** Pure: from the outcome of a call and what went before to what is done. */
export function decideRetry(
  outcome: ChatOutcome,
  { attempts, postponed, isProviderDown, random }: Situation,
): RowDecision {
  switch (outcome.kind) {
    case 'answered':
      return { act: 'save', answer: outcome.text };
    case 'row_refused':
      return { act: 'fail', problem: outcome.reason };
    case 'provider_refused':
      return { act: 'pause', detail: outcome.reason };
    case 'aborted':
      return { act: 'drop' };
    case 'try_later':
      if (postponed >= postponedAtMost)
        return {
          act: 'fail',
          problem: `${outcome.reason} Given up after it was put off ${postponed} times.`,
        };
      // The pool as a whole waits for the time that the provider named; the row needs no wait of its own then.
      return {
        act: 'retry',
        attempts,
        waitMilliseconds: outcome.retryAt === null ? jitter(postponed + 1, random, refusedWait) : 0,
      };
    case 'broken': {
      if (isProviderDown)
        return { act: 'retry', attempts, waitMilliseconds: jitter(attempts + 1, random) };
      const made = attempts + 1;
      if (made >= attemptsAtMost)
        return { act: 'fail', problem: `${outcome.reason} Given up after ${made} tries.` };
      return { act: 'retry', attempts: made, waitMilliseconds: jitter(made, random) };
    }
  }
}

function jitter(attempt: number, random: (() => number) | undefined, bounds = retryWait): number {
  return fullJitter(attempt, { ...bounds, ...(random ? { random } : {}) });
}
