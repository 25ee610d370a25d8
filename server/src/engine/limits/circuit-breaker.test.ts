import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatOutcome } from '../port.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const answer: ChatOutcome = { kind: 'answered', text: 'yes' };
const broken: ChatOutcome = { kind: 'broken', reason: 'Reset.' };
const later: ChatOutcome = { kind: 'try_later', retryAt: null, reason: 'Overloaded.' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A breaker and what it does; `lives` are the answers to its questions, the last for all that follow. */
function open(...lives: boolean[]) {
  const told: string[] = [];
  const breaker = new CircuitBreaker({
    now: () => Date.now(),
    restMilliseconds: 15_000,
    isAlive: async () => {
      told.push('asked');
      return (lives.length > 1 ? lives.shift() : lives[0]) ?? false;
    },
    onOpen: () => told.push('open'),
    onClosed: () => told.push('closed'),
  });
  const note = (outcomes: ChatOutcome[]) => {
    for (const outcome of outcomes) breaker.note(outcome, 'fake');
  };
  return { breaker, told, note };
}

const times = (count: number, ...outcomes: ChatOutcome[]) =>
  Array.from({ length: count }, () => outcomes).flat();

describe('a doubt', () => {
  it.each([
    ['one of five broken', times(20, answer, answer, answer, answer, broken), []],
    ['two of five broken', times(20, answer, broken, answer, broken, answer), []],
    ['refusals of rows', times(50, { kind: 'row_refused', reason: 'Too long.' }), []],
    ['aborted calls', times(50, { kind: 'aborted' }), []],
    ['four in a row', [...times(4, broken), answer, ...times(4, broken)], []],
    ['five in a row', times(5, broken), ['asked']],
    ['every second one of ten', times(5, answer, broken), ['asked']],
    ['many that are put off within a moment', times(100, later), []],
  ])('after %s: %j', async (_what, outcomes, told) => {
    const { note, told: done } = open(true);
    note(outcomes);
    expect(done).toEqual(told);
  });

  it('after half a minute in which all was put off and nothing answered', async () => {
    const { note, told } = open(true);
    note(times(19, later));
    await vi.advanceTimersByTimeAsync(30_000);
    note([later, later]);
    expect(told).toEqual(['asked']);
  });

  it('holds the verdict on what is broken until the provider has shown whether it lives', async () => {
    const { breaker, note } = open(true);
    note(times(5, broken));
    expect(breaker.isClosed).toBe(false);
    expect(await breaker.isDown()).toBe(false);
    expect(breaker.isClosed).toBe(true);
  });

  it('that was none does not come back at once', async () => {
    const { breaker, note, told } = open(true);
    note(times(5, broken));
    await breaker.isDown();
    note(times(10, broken));
    expect(told).toEqual(['asked', 'closed']);
    await vi.advanceTimersByTimeAsync(2_000);
    note([broken]);
    expect(told).toEqual(['asked', 'closed', 'asked']);
  });

  it('takes two questions to be right', async () => {
    const { breaker, note, told } = open(false, true);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    expect(await breaker.isDown()).toBe(false);
    expect(told).toEqual(['asked', 'asked', 'closed']);
  });
});

describe('an outage', () => {
  it('is asked after every 15 seconds, and over with the first answer', async () => {
    const { breaker, note, told } = open(false, false, false, true);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    expect(await breaker.isDown()).toBe(true);
    expect([breaker.isOpen, told]).toEqual([true, ['asked', 'asked', 'open']]);
    note(times(50, broken));
    await vi.advanceTimersByTimeAsync(14_999);
    expect(told).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(told.slice(3)).toEqual(['asked', 'asked', 'closed']);
    expect(breaker.isClosed).toBe(true);
  });

  it('is not asked after when we leave', async () => {
    const { breaker, note, told } = open(false);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    breaker[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual(['asked', 'asked', 'open']);
  });
});
