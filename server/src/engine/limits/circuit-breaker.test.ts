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

/** A breaker and a log of what it does. The last of `probeResults` repeats. */
function create(...probeResults: boolean[]) {
  const log: string[] = [];
  const breaker = new CircuitBreaker({
    now: () => Date.now(),
    probeIntervalMilliseconds: 15_000,
    probe: async () => {
      log.push('probe');
      return (probeResults.length > 1 ? probeResults.shift() : probeResults[0]) ?? false;
    },
    emit: async ({ type }) => {
      log.push(type);
    },
  });
  const note = (outcomes: ChatOutcome[], userId = 'anna') => {
    for (const outcome of outcomes) breaker.note(outcome, { model: 'fake', userId });
  };
  return { breaker, log, note };
}

const times = (count: number, ...outcomes: ChatOutcome[]) =>
  Array.from({ length: count }, () => outcomes).flat();

describe('a closed breaker', () => {
  it.each<[string, ChatOutcome[]]>([
    ['one call in five breaks', times(20, answer, answer, answer, answer, broken)],
    ['two calls in five break', times(20, answer, broken, answer, broken, answer)],
    ['rows are refused', times(50, { kind: 'row_refused', reason: 'Too long.' })],
    ['calls are aborted', times(50, { kind: 'aborted' })],
    ['only four break in a row', [...times(4, broken), answer, ...times(4, broken)]],
    ['many calls are put off within a moment', times(100, later)],
  ])('does not probe when %s', (_name, outcomes) => {
    const { note, log } = create(true);
    note(outcomes);
    expect(log).toEqual([]);
  });

  it.each<[string, ChatOutcome[]]>([
    ['after five broken calls in a row', times(5, broken)],
    ['when every second call of ten breaks', times(5, answer, broken)],
  ])('probes %s', (_name, outcomes) => {
    const { note, log } = create(true);
    note(outcomes);
    expect(log).toEqual(['probe']);
  });

  it('does not probe for the broken calls of one person while those of another are answered', () => {
    const { note, log } = create(true);
    for (let round = 0; round < 20; round++) {
      note([answer], 'bert');
      note(times(10, broken));
    }
    expect(log).toEqual([]);
  });

  it.each<[string, ChatOutcome[]]>([
    ['break too', [broken]],
    ['are put off', [later]],
  ])('probes when the calls of the other person %s', (_what, outcomes) => {
    const { note, log } = create(true);
    note([answer, ...outcomes], 'bert');
    note(times(5, broken));
    expect(log).toEqual(['probe']);
  });

  it('probes when the other person was answered too long ago', async () => {
    const { note, log } = create(true);
    note([answer], 'bert');
    await vi.advanceTimersByTimeAsync(5_000);
    note(times(5, broken));
    expect(log).toEqual(['probe']);
  });

  it('probes when connections fail, though another person was answered before', () => {
    const { note, log } = create(true);
    note([answer], 'bert');
    note(times(5, { ...broken, isUnreachable: true }));
    expect(log).toEqual(['probe']);
  });

  it('probes after half a minute in which every call was delayed', async () => {
    const { breaker, note, log } = create(true);
    note(times(19, later));
    await vi.advanceTimersByTimeAsync(30_000);
    note([later, later]);
    expect(log).toEqual(['probe']);
    expect(breaker.problem).toBe('Overloaded.');
  });

  it('says whether the provider is down only after the probe', async () => {
    const { breaker, note } = create(true);
    note(times(5, broken));
    expect(breaker.isClosed).toBe(false);
    expect(await breaker.isDown()).toBe(false);
    expect(breaker.isClosed).toBe(true);
  });

  it('does not probe again for two seconds after a successful probe', async () => {
    const { breaker, note, log } = create(true);
    note(times(5, broken));
    await breaker.isDown();
    note(times(10, broken));
    expect(log).toEqual(['probe', 'provider_up']);
    await vi.advanceTimersByTimeAsync(2_000);
    note([broken]);
    expect(log).toEqual(['probe', 'provider_up', 'probe']);
  });

  it('needs two failed probes to open', async () => {
    const { breaker, note, log } = create(false, true);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    expect(await breaker.isDown()).toBe(false);
    expect(log).toEqual(['probe', 'probe', 'provider_up']);
  });
});

describe('an open breaker', () => {
  it('probes every 15 seconds and closes with the first reply', async () => {
    const { breaker, note, log } = create(false, false, false, true);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    expect(await breaker.isDown()).toBe(true);
    expect([breaker.isOpen, log]).toEqual([true, ['probe', 'probe', 'provider_down']]);
    note(times(50, broken));
    await vi.advanceTimersByTimeAsync(14_999);
    expect(log).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(log.slice(3)).toEqual(['probe', 'provider_down']);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(log.slice(5)).toEqual(['probe', 'provider_up']);
    expect(breaker.isClosed).toBe(true);
  });

  it('stops probing when it is disposed', async () => {
    const { breaker, note, log } = create(false);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    breaker[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(log).toEqual(['probe', 'probe', 'provider_down']);
  });
});

describe('while the first probe decides', () => {
  const unreachable: ChatOutcome = { kind: 'broken', reason: 'Refused.', isUnreachable: true };

  it.each<[string, ChatOutcome, boolean[]]>([
    ['only the person whose calls broke waits', broken, [false, true]],
    ['everyone waits when connections fail', unreachable, [false, false]],
  ])('%s', async (_, outcome, expected) => {
    const { breaker, note } = create(true);
    note(times(5, outcome));
    expect(breaker.isClosed).toBe(false);
    expect(['anna', 'ben'].map((person) => breaker.mayCallFor(person))).toEqual(expected);
    await vi.advanceTimersByTimeAsync(0);
    expect(breaker.mayCallFor('anna')).toBe(true);
  });

  it('no call is made once it found an outage', async () => {
    const { breaker, note } = create(false);
    note(times(5, broken));
    await vi.advanceTimersByTimeAsync(500);
    expect(breaker.isOpen).toBe(true);
    expect(breaker.mayCallFor('ben')).toBe(false);
    breaker[Symbol.dispose]();
  });
});
