import { describe, expect, it } from 'vitest';
import { decideRetry, maxAttempts, maxPostponements } from './decide-retry.ts';
import type { ChatOutcome } from './port.ts';

const situation = {
  attempts: 0,
  postponed: 0,
  isProviderDown: false,
  isCorrected: false,
  isKeyRefused: false,
  isRefusedAlone: false,
  now: 1_000,
  random: () => 0.5,
};

const because = <K extends ChatOutcome['kind']>(kind: K) => ({ kind, reason: 'Why.' }) as const;
const later = (retryAt: number | null) => ({ ...because('try_later'), retryAt });
const unusable = { ...because('unusable'), answer: '{}' };
const retry = (waitMilliseconds: number, attempts = 0) => ({
  act: 'retry',
  attempts,
  waitMilliseconds,
});

describe('a row', () => {
  it.each<[string, ChatOutcome, object]>([
    ['is saved when answered', { kind: 'answered', text: 'yes' }, { act: 'save', answer: 'yes' }],
    ['fails when refused', because('row_refused'), { act: 'fail', problem: 'Why.' }],
    [
      'is asked once more when its answer does not fit its columns',
      unusable,
      { ...retry(0), correction: { answer: '{}', problem: 'Why.' } },
    ],
    [
      'is held when its request may be at fault',
      because('request_refused'),
      { act: 'hold', problem: 'Why.' },
    ],
    ['waits when the key is refused once', because('provider_refused'), retry(1_000)],
    [
      'pauses its batch when the quota of the day is used up',
      { ...because('provider_refused'), retryAt: 9_000 },
      { act: 'pause', detail: 'Why.', retryAt: 9_000 },
    ],
    ['waits and keeps its attempts without capacity', because('no_capacity'), retry(1_500)],
    ['is given up when its call is aborted', { kind: 'aborted' }, { act: 'give_up' }],
    ['waits until the named time, and a little longer', later(3_000), retry(2_100)],
    ['does not wait for a time that has passed', later(5), retry(0)],
    ['waits and keeps its attempts when asked for later', later(null), retry(150)],
    ['uses up an attempt when its call breaks', because('broken'), retry(750, 1)],
  ])('%s', (_name, outcome, decision) => {
    expect(decideRetry(outcome, situation)).toEqual(decision);
  });

  it.each([
    [null, 61_000],
    [90_000, 90_000],
  ])('pauses its batch when that alone is told to try later, until %s', (named, retryAt) => {
    expect(decideRetry(later(named), { ...situation, isRefusedAlone: true })).toEqual({
      act: 'pause',
      detail: 'Why.',
      retryAt,
    });
  });

  it('pauses its batch when the key is refused', () => {
    expect(decideRetry(because('provider_refused'), { ...situation, isKeyRefused: true })).toEqual({
      act: 'pause',
      detail: 'Why.',
    });
  });

  it('may be at fault itself when access is refused', () => {
    const refused = { ...because('provider_refused'), mayBeRow: true } as const;
    const test = { act: 'test_key', problem: 'Why.' };
    expect(decideRetry(refused, { ...situation, isKeyRefused: true })).toEqual(test);
    expect(decideRetry(refused, { ...situation, postponed: 4 })).toEqual(retry(1_000));
    const held = { act: 'hold', problem: 'Why.' };
    expect(decideRetry(refused, { ...situation, postponed: 5 })).toEqual(held);
  });

  it('fails with its last attempt, but not while the provider is down', () => {
    const last = { ...situation, attempts: maxAttempts - 1 };
    expect(decideRetry(because('broken'), last)).toEqual({
      act: 'fail',
      problem: 'Why. We gave up after 5 tries.',
    });
    expect(decideRetry(because('broken'), { ...last, isProviderDown: true })).toMatchObject({
      act: 'retry',
      attempts: maxAttempts - 1,
    });
  });

  it('fails with its second unusable answer', () => {
    expect(decideRetry(unusable, { ...situation, isCorrected: true })).toEqual({
      act: 'fail',
      problem: 'Why.',
      answer: '{}',
    });
  });

  it.each<ChatOutcome>([later(null), because('provider_refused')])(
    'fails when others are answered and it gets $kind again and again',
    (outcome) => {
      const almost = { ...situation, postponed: maxPostponements - 1 };
      expect(decideRetry(outcome, almost)).toMatchObject({ act: 'retry' });
      expect(decideRetry(outcome, { ...situation, postponed: maxPostponements })).toEqual({
        act: 'fail',
        problem: 'Why. We gave up after the provider postponed this row 50 times.',
      });
    },
  );

  it('waits longer with each attempt', () => {
    const waits = [0, 1, 2, 3].map((attempts) => {
      const longest = { ...situation, attempts, random: () => 1 };
      const decision = decideRetry({ kind: 'broken', reason: '' }, longest);
      return decision.act === 'retry' ? decision.waitMilliseconds : 0;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });
});
