import type { AnswerMark } from '@rowmill/contract';
import { fullJitter } from '../lib/backoff.ts';
import { monotonicNow } from '../lib/clock.ts';
import * as texts from '../texts/model-calls.ts';
import type { ChatOutcome, Correction } from './port.ts';

/** Calls that may break before a row fails. If 20% break, 0.03% of rows fail. */
export const maxAttempts = 5;
/** A row delayed this often while others are answered needs more than the limit ever allows. */
export const maxPostponements = 50;
/** Backoff after a broken call, in milliseconds. */
const brokenBackoff = { floor: 500, ceiling: 30_000 };
/** Backoff in milliseconds after "try later" without a time. Short: the limiter slows the calls. */
const throttledBackoff = { floor: 100, ceiling: 1_000 };
/** While others of the batch still find capacity, in milliseconds. */
const capacityBackoff = { floor: 1_000, ceiling: 10_000 };
/** After a refusal of the key, which gateways also send by mistake. In milliseconds. */
const keyRefusedMilliseconds = 1_000;
/** A batch that alone is refused waits this long, and then tries again. In milliseconds. */
const refusedAloneMilliseconds = 60_000;
/** Rows that were refused together do not return together. */
const namedTimeJitter = 0.1;

/** What happens to a row after a call. */
export type RowDecision =
  | { act: 'save'; answer: string; by?: string }
  | {
      act: 'fail';
      problem: string;
      answer?: string;
      mark?: AnswerMark;
    }
  /** Its request may be at fault; request-refusals.ts decides. */
  | { act: 'hold'; problem: string }
  /** With a correction, the model is shown its unusable answer and asked once more. */
  | { act: 'retry'; waitMilliseconds: number; attempts: number; correction?: Correction }
  | { act: 'pause'; detail: string; retryAt?: number }
  /** The batch pauses if the key is refused again, else the row is at fault. */
  | { act: 'test_key'; problem: string }
  | { act: 'give_up' };

interface Situation {
  /** Calls of this row that broke before. */
  attempts: number;
  /** Times that it was delayed while others were answered, this time included. */
  postponed: number;
  /** During an outage a broken call says nothing about the row, and costs no attempt. */
  isProviderDown: boolean;
  /** It was asked once more already. */
  isCorrected: boolean;
  /** The key was refused several times without an answer. */
  isKeyRefused: boolean;
  /** Its batch is told to try later again and again, while others are answered. */
  isRefusedAlone: boolean;
  /** On the clock of `retryAt`. */
  now?: number;
  random?: () => number;
}

export function decideRetry(outcome: ChatOutcome, situation: Situation): RowDecision {
  const { attempts, postponed, isProviderDown, isCorrected, isKeyRefused } = situation;
  const { isRefusedAlone, now = monotonicNow(), random = Math.random } = situation;
  switch (outcome.kind) {
    case 'answered':
      return { act: 'save', answer: outcome.text, by: outcome.by };
    case 'row_refused':
      return {
        act: 'fail',
        problem: outcome.reason,
        answer: outcome.answer,
        mark: outcome.mark,
      };
    case 'unusable': {
      const { answer, reason: problem } = outcome;
      return isCorrected
        ? { act: 'fail', problem, answer }
        : { act: 'retry', attempts, waitMilliseconds: 0, correction: { answer, problem } };
    }
    case 'request_refused':
      return { act: 'hold', problem: outcome.reason };
    case 'provider_refused':
      if (isKeyRefused && outcome.mayBeRow) return { act: 'test_key', problem: outcome.reason };
      if (isKeyRefused || outcome.retryAt !== undefined)
        return { act: 'pause', detail: outcome.reason, retryAt: outcome.retryAt };
      if (outcome.mayBeRow && postponed >= maxAttempts)
        return { act: 'hold', problem: outcome.reason };
      if (postponed >= maxPostponements)
        return { act: 'fail', problem: texts.postponedTooOften(outcome.reason, postponed) };
      return { act: 'retry', attempts, waitMilliseconds: keyRefusedMilliseconds };
    case 'aborted':
      return { act: 'give_up' };
    case 'try_later': {
      if (isRefusedAlone)
        return {
          act: 'pause',
          detail: outcome.reason,
          retryAt: Math.max(now + refusedAloneMilliseconds, outcome.retryAt ?? 0),
        };
      if (postponed >= maxPostponements)
        return { act: 'fail', problem: texts.postponedTooOften(outcome.reason, postponed) };
      // Only this row waits, without a slot. The limiter decides about the others.
      const wait =
        outcome.retryAt === null
          ? fullJitter(postponed + 1, { ...throttledBackoff, random })
          : Math.max(0, outcome.retryAt - now) * (1 + namedTimeJitter * random());
      return { act: 'retry', attempts, waitMilliseconds: wait };
    }
    case 'no_capacity':
      return {
        act: 'retry',
        attempts,
        waitMilliseconds: fullJitter(1, { ...capacityBackoff, random }),
      };
    case 'broken': {
      const made = attempts + 1;
      const waitMilliseconds = fullJitter(made, { ...brokenBackoff, random });
      if (isProviderDown) return { act: 'retry', attempts, waitMilliseconds };
      if (made < maxAttempts) return { act: 'retry', attempts: made, waitMilliseconds };
      return { act: 'fail', problem: texts.givenUp(outcome.reason, made) };
    }
  }
}
