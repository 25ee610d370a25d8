import { describe, expect, it } from 'vitest';
import type { ChatOutcome } from '../port.ts';
import { type Call, ConcurrencyLimiter, Slots } from './concurrency-limiter.ts';

const later = (retryAt: number): ChatOutcome => ({ kind: 'try_later', retryAt, reason: 'Wait.' });
const answer: ChatOutcome = { kind: 'answered', text: 'yes' };

/** A limiter of sixteen calls, with its own clock. */
function create() {
  let now = 0;
  const slots = new Slots(16);
  const limiter = new ConcurrencyLimiter({ slots, now: () => now });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { limiter, slots, pass };
}

/** Calls until no slot is free. */
function fill(limiter: ConcurrencyLimiter): Call[] {
  const calls: Call[] = [];
  while (limiter.waitMilliseconds === 0) calls.push(limiter.acquire());
  return calls;
}

describe('a refusal with a time', () => {
  it('delays only its row', () => {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    pass(100);
    const [first, ...others] = fill(limiter);
    if (first) limiter.release(later(60_000), first);
    expect(limiter.waitMilliseconds).toBe(0);
    for (const call of others) limiter.release(answer, call);
    expect(limiter.cooldownUntil).toBeLessThan(60_000);
  });

  it('that every call gets is a cooldown until the middle one of the times', () => {
    const { limiter, pass } = create();
    const calls = fill(limiter);
    pass(5);
    for (const [index, call] of calls.entries()) limiter.release(later(8_000 + index), call);
    expect(calls).toHaveLength(3);
    expect(limiter.cooldownUntil).toBe(8_021);
    expect(limiter.waitMilliseconds).toBe(8_016);
    pass(8_016);
    expect(limiter.waitMilliseconds).toBe(0);
  });

  it('that an answered key gives to call after call is a cooldown too', () => {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    let refused = 0;
    for (; limiter.waitMilliseconds === 0 && refused < 1_000; refused++) {
      const call = limiter.acquire();
      pass(5);
      limiter.release(later(60_000), call);
    }
    expect(refused).toBeLessThan(20);
    expect(limiter.cooldownUntil).toBe(60_020);
  });

  it('that one person gets is none while calls of another are in flight', () => {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    const refuse = (person: string, until = 60_000) => {
      const call = limiter.acquire({ person });
      pass(100);
      limiter.release(later(until), call);
    };
    const long = limiter.acquire({ person: 'other' });
    for (let row = 0; row < 100; row++) refuse('one');
    expect(limiter.cooldownUntil).toBe(0);
    refuse('third');
    expect(limiter.cooldownUntil).toBe(60_020);
    pass(60_000);
    limiter.release(answer, long);
    for (let row = 0; row < 100; row++) refuse('one', 200_000);
    expect(limiter.cooldownUntil).toBe(200_020);
  });
});

describe('a person who alone is refused, while calls of another are in flight', () => {
  it('tests once a second, and slows no one else', () => {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    const refuse = () => {
      const call = limiter.acquire({ person: 'one' });
      pass(1);
      limiter.release({ kind: 'try_later', retryAt: null, reason: 'Too many tokens.' }, call);
    };
    const long = limiter.acquire({ person: 'other' });
    pass(1_000);
    let refused = 0;
    for (; refused < 100 && limiter.mayCallFor('one'); refused++) refuse();
    expect(refused).toBe(7);
    expect(limiter.mayCallFor('other')).toBe(true);
    for (let test = 0; test < 100; test++) {
      pass(1_000);
      expect(limiter.mayCallFor('one')).toBe(true);
      refuse();
      expect(limiter.mayCallFor('one')).toBe(false);
    }
    expect(limiter.rate).toBe(Infinity);
    expect(limiter.waitMilliseconds).toBe(0);
    limiter.release(answer, long);
    expect(limiter.mayCallFor('one')).toBe(true);
  });
});

describe('a batch that alone is refused', () => {
  const refused: ChatOutcome = { kind: 'try_later', retryAt: null, reason: 'Too many tokens.' };

  /** Its refusals were taken for a limit: one of eight rows was answered. */
  function slowDown() {
    const { limiter, pass } = create();
    let now = 0;
    const send = (batch: string, outcome: ChatOutcome) => {
      const call = limiter.acquire({ batch });
      pass(50);
      limiter.release(outcome, call);
      const wait = limiter.waitMilliseconds;
      pass(wait);
      now += 50 + wait;
      return now;
    };
    for (let call = 0; call < 160; call++) send('long prompts', call % 8 === 0 ? answer : refused);
    return { limiter, send };
  }

  it('slows others for less than two minutes', () => {
    const { limiter, send } = slowDown();
    expect(limiter.rate).toBeLessThan(0.5);
    const since = send('other', answer);
    let until = since;
    for (let call = 0; call < 100; call++) {
      send('long prompts', refused);
      until = send('other', answer);
    }
    expect(until - since).toBeLessThan(100_000);
    expect(limiter.rate).toBeGreaterThan(100);
  });

  it('is named once it is sure', () => {
    const { limiter, send } = slowDown();
    expect(limiter.takeRefusedAlone('long prompts')).toBe(false);
    for (let call = 0; call < 25; call++) {
      send('other', answer);
      send('long prompts', refused);
    }
    expect(limiter.takeRefusedAlone('long prompts')).toBe(true);
    expect(limiter.takeRefusedAlone('long prompts')).toBe(false);
    expect(limiter.takeRefusedAlone('other')).toBe(false);
  });
});

describe('a key that refuses calls before the first answer', () => {
  it('is asked at growing intervals, and at full speed after the first answer', () => {
    const { limiter, pass } = create();
    const refused: ChatOutcome = { kind: 'try_later', retryAt: null, reason: 'Overloaded.' };
    for (let call = 0; call < 40; call++) {
      const calls = fill(limiter);
      pass(50);
      for (const each of calls) limiter.release(refused, each);
      pass(limiter.waitMilliseconds);
    }
    expect(limiter.waitMilliseconds).toBe(0);
    limiter.release(refused, limiter.acquire());
    expect(limiter.waitMilliseconds).toBeGreaterThan(500);
    pass(1_000);
    limiter.release(answer, limiter.acquire());
    expect(fill(limiter)).toHaveLength(16);
  });
});

describe('a cooldown that was stored', () => {
  it('lasts to the millisecond, and the later of two counts', () => {
    const { limiter, pass } = create();
    limiter.startCooldown(8_000);
    limiter.startCooldown(4_000);
    pass(7_999);
    expect(limiter.waitMilliseconds).toBe(1);
    pass(1);
    expect(limiter.waitMilliseconds).toBe(0);
  });
});

describe('a cooldown of another worker', () => {
  it('applies at once while no call is accepted here', () => {
    const { limiter } = create();
    limiter.onCooldownNotice(8_000);
    expect(limiter.waitMilliseconds).toBe(8_000);
  });

  it('applies with the next refusal while calls are accepted here', () => {
    const { limiter, pass } = create();
    const [first, ...others] = fill(limiter);
    if (first) limiter.release(answer, first);
    limiter.onCooldownNotice(8_000);
    for (const call of others) limiter.release(answer, call);
    expect(limiter.cooldownUntil).toBe(0);
    pass(100);
    limiter.onCooldownNotice(8_000);
    pass(100);
    const [refused] = fill(limiter);
    if (refused) limiter.release(later(300), refused);
    expect(limiter.cooldownUntil).toBe(8_000);
  });

  it('does not apply while one person is refused and calls of another are in flight', () => {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    const long = limiter.acquire({ person: 'other' });
    pass(5_000);
    limiter.onCooldownNotice(8_000);
    limiter.release(later(8_000), limiter.acquire({ person: 'one' }));
    expect(limiter.cooldownUntil).toBe(0);
    limiter.release(answer, long);
    limiter.release(later(8_000), limiter.acquire({ person: 'one' }));
    expect(limiter.cooldownUntil).toBe(8_000);
  });

  it('is forgotten when a later call is accepted', () => {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    limiter.onCooldownNotice(8_000);
    pass(1);
    const [accepted, refused] = fill(limiter);
    if (accepted) limiter.release(answer, accepted);
    if (refused) limiter.release(later(300), refused);
    expect(limiter.cooldownUntil).toBe(0);
  });
});

describe('a new limiter', () => {
  it('sends three calls before the first answer, and then as many as configured', () => {
    const { limiter } = create();
    const [first] = fill(limiter);
    if (first) limiter.release(answer, first);
    expect(fill(limiter)).toHaveLength(14);
  });

  it('returns to three calls when the key is refused', () => {
    const { limiter } = create();
    const calls = fill(limiter);
    for (const call of calls) limiter.release(answer, call);
    for (const call of fill(limiter))
      limiter.release({ kind: 'provider_refused', reason: 'No quota.' }, call);
    expect(fill(limiter)).toHaveLength(3);
  });
});

describe('a share of the ceiling', () => {
  it('is respected as calls end, and can grow again', () => {
    const { limiter, slots } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    const calls = fill(limiter);
    slots.setShare(1 / 4);
    for (const call of calls.slice(0, 12)) limiter.release(answer, call);
    expect(fill(limiter)).toEqual([]);
    for (const call of calls.slice(12, 14)) limiter.release(answer, call);
    expect(fill(limiter)).toHaveLength(2);
    slots.setShare(1);
    expect(fill(limiter)).toHaveLength(12);
  });

  it('is never less than one call, and three before the first answer', () => {
    const { limiter, slots } = create();
    slots.setShare(1 / 100);
    expect(fill(limiter)).toHaveLength(1);
    slots.setShare(1);
    expect(fill(limiter)).toHaveLength(2);
    expect(fill(limiter)).toEqual([]);
  });
});

describe('a limit that an answer states', () => {
  const tokens = { input: 90, cached: 0, output: 10, reasoning: 0 };
  const stated = (remaining: number): ChatOutcome => ({
    kind: 'answered',
    text: 'yes',
    tokens,
    limits: [{ of: 'tokens', limit: 10_000, remaining, resetMilliseconds: 10_000 }],
  });
  const waitAfter = (outcome: ChatOutcome) => {
    const { limiter } = create();
    limiter.release(outcome, limiter.acquire());
    return limiter.waitMilliseconds;
  };

  it('in tokens slows calls by their size when little is left', () => {
    // 1,000 tokens a second and 100 a call: 8 calls a second, less 20 ms for a late timer.
    expect(waitAfter(stated(0))).toBe(105);
  });

  it('slows nothing while plenty is left', () => {
    expect(waitAfter(stated(5_000))).toBe(0);
  });

  it('is forgotten when its time is over', () => {
    const { limiter, pass } = create();
    limiter.release(stated(0), limiter.acquire());
    pass(10_000);
    fill(limiter);
    expect(limiter.waitMilliseconds).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('calls that time out', () => {
  const late: ChatOutcome = { kind: 'broken', isLate: true, reason: 'No answer came.' };

  it('lower the limit once per round, and each answered round raises it by one', () => {
    const { limiter, pass } = create();
    /** Fills every slot, lets time pass, and ends all calls alike. Returns how many there were. */
    const round = (outcome: ChatOutcome) => {
      const calls = fill(limiter);
      pass(1_000);
      for (const call of calls) limiter.release(outcome, call);
      return calls.length;
    };
    expect([answer, late, late, late, answer, answer].map(round)).toEqual([3, 16, 9, 5, 3, 4]);
    for (let more = 0; more < 20; more++) round(answer);
    expect(round(answer)).toBe(16);
  });

  /** Opens all slots. Calls of a person end after a second each. */
  function createOpen() {
    const { limiter, pass } = create();
    for (const call of fill(limiter)) limiter.release(answer, call);
    const end = (outcome: ChatOutcome, ...people: string[]) => {
      const calls = people.map((person) => limiter.acquire({ person }));
      pass(1_000);
      for (const call of calls) limiter.release(outcome, call);
    };
    return { limiter, pass, end };
  }

  it('lower no limit while only one person has them and another one is answered', () => {
    const { limiter, pass, end } = createOpen();
    for (let round = 0; round < 10; round++) {
      const call = limiter.acquire({ person: 'anna' });
      end(answer, 'bert');
      pass(1_000);
      limiter.release(late, call);
    }
    expect(fill(limiter)).toHaveLength(16);
  });

  it('lower the limit when several people have them, also while some are answered', () => {
    const { limiter, end } = createOpen();
    for (let round = 0; round < 10; round++) {
      const call = limiter.acquire({ person: 'anna' });
      end(late, 'bert', 'carl');
      end(answer, 'bert');
      limiter.release(late, call);
    }
    expect(fill(limiter).length).toBeLessThan(5);
  });

  it('lower it for one person alone, until another one is answered', () => {
    const { limiter, end } = createOpen();
    for (let round = 0; round < 10; round++) end(late, 'anna');
    expect(limiter.waitMilliseconds).toBe(0);
    const only = limiter.acquire({ person: 'bert' });
    expect(limiter.waitMilliseconds).toBe(Infinity);
    limiter.release(answer, only);
    expect(fill(limiter)).toHaveLength(16);
  });
});
