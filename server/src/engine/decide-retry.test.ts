import { describe, expect, it } from 'vitest';
import { decideRetry, maxAttempts, maxPostponements } from './decide-retry.ts';
import type { ChatOutcome } from './port.ts';

const situation = {
  attempts: 0,
  postponed: 0,
  isProviderDown: false,
  isCorrected: false,
  isKeyRefused: false,
  now: 1_000,
  random: () => 0.5,
};

describe('a row', () => {
  it.each<[string, ChatOutcome, object]>([
    [
      'is saved when it is answered',
      { kind: 'answered', text: 'yes' },
      { act: 'save', answer: 'yes' },
    ],
    [
      'fails when the provider refuses it',
      { kind: 'row_refused', reason: 'Too long.' },
      { act: 'fail', problem: 'Too long.' },
    ],
    [
      'is asked once more when its answer does not fit its columns',
      { kind: 'unusable', reason: 'No score.', answer: '{}' },
      {
        act: 'retry',
        attempts: 0,
        waitMilliseconds: 0,
        correction: { answer: '{}', problem: 'No score.' },
      },
    ],
    [
      'is held when its request may be at fault',
      { kind: 'request_refused', reason: 'No such model.' },
      { act: 'hold', problem: 'No such model.' },
    ],
    [
      'waits a moment and keeps its attempts when the key is refused once',
      { kind: 'provider_refused', reason: 'Bad key.' },
      { act: 'retry', attempts: 0, waitMilliseconds: 1_000 },
    ],
    [
      'pauses its batch when the quota of the day is used up',
      { kind: 'provider_refused', reason: 'No quota.', retryAt: 9_000 },
      { act: 'pause', detail: 'No quota.', retryAt: 9_000 },
    ],
    [
      'waits a moment and keeps its attempts when the flex tier has no capacity',
      { kind: 'no_capacity', reason: '' },
      { act: 'retry', attempts: 0, waitMilliseconds: 1_500 },
    ],
    ['is given up when its call is aborted', { kind: 'aborted' }, { act: 'give_up' }],
    [
      'waits until the time that the provider names, and a little longer',
      { kind: 'try_later', retryAt: 3_000, reason: '' },
      { act: 'retry', attempts: 0, waitMilliseconds: 2_100 },
    ],
    [
      'does not wait for a time that has passed',
      { kind: 'try_later', retryAt: 5, reason: '' },
      { act: 'retry', attempts: 0, waitMilliseconds: 0 },
    ],
    [
      'waits a moment and keeps its attempts when the provider asks for later',
      { kind: 'try_later', retryAt: null, reason: '' },
      { act: 'retry', attempts: 0, waitMilliseconds: 150 },
    ],
    [
      'uses up an attempt when its call breaks',
      { kind: 'broken', reason: 'Reset.' },
      { act: 'retry', attempts: 1, waitMilliseconds: 750 },
    ],
  ])('%s', (_name, outcome, decision) => {
    expect(decideRetry(outcome, situation)).toEqual(decision);
  });

  it('pauses its batch when the key is refused', () => {
    const refused = { kind: 'provider_refused', reason: 'Bad key.' } as const;
    expect(decideRetry(refused, { ...situation, isKeyRefused: true })).toEqual({
      act: 'pause',
      detail: 'Bad key.',
    });
  });

  it('fails with its last attempt, but not while the provider is down', () => {
    const last = { ...situation, attempts: maxAttempts - 1 };
    const broken = { kind: 'broken', reason: 'Reset.' } as const;
    expect(decideRetry(broken, last)).toEqual({
      act: 'fail',
      problem: 'Reset. Given up after 5 tries.',
    });
    expect(decideRetry(broken, { ...last, isProviderDown: true })).toMatchObject({
      act: 'retry',
      attempts: maxAttempts - 1,
    });
  });

  it('fails with its second unusable answer', () => {
    const unusable = { kind: 'unusable', reason: 'No score.', answer: '{}' } as const;
    expect(decideRetry(unusable, { ...situation, isCorrected: true })).toEqual({
      act: 'fail',
      problem: 'No score.',
      answer: '{}',
    });
  });

  it.each<ChatOutcome & { reason: string }>([
    { kind: 'try_later', retryAt: null, reason: 'Too many tokens.' },
    { kind: 'provider_refused', reason: 'Not this one.' },
  ])('fails when others are answered and it gets $kind again and again', (later) => {
    const almost = { ...situation, postponed: maxPostponements - 1 };
    expect(decideRetry(later, almost)).toMatchObject({ act: 'retry' });
    expect(decideRetry(later, { ...situation, postponed: maxPostponements })).toEqual({
      act: 'fail',
      problem: `${later.reason} Given up after it was put off 50 times.`,
    });
  });

  it('waits longer with each attempt', () => {
    const waits = [0, 1, 2, 3].map((attempts) => {
      const longest = { ...situation, attempts, random: () => 1 };
      const decision = decideRetry({ kind: 'broken', reason: '' }, longest);
      return decision.act === 'retry' ? decision.waitMilliseconds : 0;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });
});
