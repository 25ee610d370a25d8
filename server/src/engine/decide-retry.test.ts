import { describe, expect, it } from 'vitest';
import { attemptsAtMost, decideRetry, postponedAtMost } from './decide-retry.ts';

const half = () => 0.5;
const situation = { attempts: 0, postponed: 0, isProviderDown: false, random: half };

describe('what becomes of a row', () => {
  it.each([
    [{ kind: 'answered', text: 'yes' } as const, { act: 'save', answer: 'yes' }],
    [{ kind: 'row_refused', reason: 'Too long.' } as const, { act: 'fail', problem: 'Too long.' }],
    [
      { kind: 'provider_refused', reason: 'Bad key.' } as const,
      { act: 'pause', detail: 'Bad key.' },
    ],
    [{ kind: 'aborted' } as const, { act: 'drop' }],
    [
      { kind: 'try_later', retryAt: 5, reason: '' } as const,
      { act: 'retry', attempts: 0, waitMilliseconds: 0 },
    ],
    [
      { kind: 'try_later', retryAt: null, reason: '' } as const,
      { act: 'retry', attempts: 0, waitMilliseconds: 150 },
    ],
    [
      { kind: 'broken', reason: 'Reset.' } as const,
      { act: 'retry', attempts: 1, waitMilliseconds: 750 },
    ],
  ])('%o', (outcome, verdict) => {
    expect(decideRetry(outcome, situation)).toEqual(verdict);
  });

  it('is failure when the last try has broken, but not while the provider is down', () => {
    const last = { ...situation, attempts: attemptsAtMost - 1 };
    const broken = { kind: 'broken', reason: 'Reset.' } as const;
    expect(decideRetry(broken, last)).toEqual({
      act: 'fail',
      problem: 'Reset. Given up after 5 tries.',
    });
    expect(decideRetry(broken, { ...last, isProviderDown: true })).toMatchObject({
      act: 'retry',
      attempts: attemptsAtMost - 1,
    });
  });

  it('is failure when it alone is put off again and again', () => {
    const later = { kind: 'try_later', retryAt: null, reason: 'Too many tokens.' } as const;
    expect(decideRetry(later, { ...situation, postponed: postponedAtMost - 1 })).toMatchObject({
      act: 'retry',
    });
    expect(decideRetry(later, { ...situation, postponed: postponedAtMost })).toEqual({
      act: 'fail',
      problem: 'Too many tokens. Given up after it was put off 50 times.',
    });
  });

  it('waits longer from try to try, and never longer than half a minute', () => {
    const waits = [0, 1, 2, 3].map((attempts) => {
      const verdict = decideRetry(
        { kind: 'broken', reason: '' },
        { ...situation, attempts, random: () => 1 },
      );
      return verdict.act === 'retry' ? verdict.waitMilliseconds : 0;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });
});
