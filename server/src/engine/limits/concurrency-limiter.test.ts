import { describe, expect, it } from 'vitest';
import type { ChatOutcome } from '../port.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const later = (retryAt: number | null = null): ChatOutcome => ({
  kind: 'try_later',
  retryAt,
  reason: 'Too many.',
});
const answer: ChatOutcome = { kind: 'answered', text: 'yes' };

interface Call {
  at: number;
  kind: ChatOutcome['kind'];
}

interface Situation {
  ceiling?: number;
  seconds: number;
  latency: number;
  /** What a call is told that arrives now. */
  provider: (now: number) => ChatOutcome;
}

/** A client that always has rows, against a provider, by a clock of their own. */
class Play {
  readonly calls: Call[] = [];
  mostInFlight = 0;
  readonly pace: ConcurrencyLimiter;
  #now = 0;
  #events: { at: number; act: () => void }[] = [];
  #inFlight = 0;
  #isAwaited = false;
  readonly #situation: Situation;

  constructor(situation: Situation) {
    this.#situation = situation;
    this.pace = new ConcurrencyLimiter({ ceiling: situation.ceiling ?? 16, now: () => this.#now });
    this.#pump();
    for (;;) {
      this.#events.sort((one, other) => one.at - other.at);
      const event = this.#events.shift();
      if (!event || event.at > situation.seconds * 1_000) return;
      this.#now = event.at;
      event.act();
      this.#pump();
    }
  }

  #pump(): void {
    while (this.pace.wait() === 0) this.#call();
    this.#pumpAfter(this.pace.wait());
  }

  #pumpAfter(wait: number): void {
    if (wait === Number.POSITIVE_INFINITY || this.#isAwaited) return;
    this.#isAwaited = true;
    // Timers are not earlier than asked for, and often a little later.
    this.#after(Math.ceil(wait) + (this.calls.length % 3), () => {
      this.#isAwaited = false;
    });
  }

  #call(): void {
    const startedAt = this.pace.begin();
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    const outcome = this.#situation.provider(this.#now);
    this.calls.push({ at: this.#now, kind: outcome.kind });
    this.#after(outcome.kind === 'try_later' ? 5 : this.#situation.latency, () => {
      this.#inFlight--;
      this.pace.end(outcome, startedAt);
    });
  }

  #after(milliseconds: number, act: () => void): void {
    this.#events.push({ at: this.#now + milliseconds, act });
  }
}

/** Lets so many calls through in any second. */
function limitedTo(perSecond: number | ((now: number) => number)): (now: number) => ChatOutcome {
  let admitted: number[] = [];
  return (now) => {
    admitted = admitted.filter((at) => now - at < 1_000);
    if (admitted.length >= (typeof perSecond === 'number' ? perSecond : perSecond(now)))
      return later();
    admitted.push(now);
    return answer;
  };
}

/** Says "later" to a share of calls, whatever their rate. The same seed makes the same choices. */
function moody(share: number, seed: number): () => ChatOutcome {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) / 2 ** 23 < share ? later() : answer;
  };
}

function between({ calls }: Play, from: number, to: number) {
  const within = calls.filter(({ at }) => at >= from * 1_000 && at < to * 1_000);
  const refused = within.filter(({ kind }) => kind === 'try_later').length;
  return {
    perSecond: (within.length - refused) / (to - from),
    share: refused / within.length,
    calls: within.length,
  };
}

describe('a provider that allows so many calls a second', () => {
  it.each([
    [5, 20],
    [5, 200],
    [5, 1_000],
    [5, 2_000],
    [20, 100],
    [50, 250],
    [1, 50],
  ])(
    '%i: with answers after %i ms, nearly all of them are used, and few calls are refused',
    (perSecond, latency) => {
      const play = new Play({ seconds: 80, latency, provider: limitedTo(perSecond) });
      const steady = between(play, 20, 80);
      expect(steady.perSecond).toBeGreaterThanOrEqual(0.9 * perSecond);
      expect(steady.perSecond).toBeLessThanOrEqual(perSecond);
      expect(steady.share).toBeLessThan(0.05);
    },
  );

  it('that are fewer for a while: soon all of them are used again', () => {
    const provider = limitedTo((now) => (now < 60_000 ? 5 : 100));
    const play = new Play({ seconds: 180, latency: 50, provider });
    expect(between(play, 130, 180).perSecond).toBeGreaterThan(80);
  });

  it('that become fewer: the share of refusals goes down again', () => {
    const provider = limitedTo((now) => (now < 30_000 ? 40 : 5));
    const play = new Play({ seconds: 120, latency: 50, provider });
    expect(between(play, 60, 120)).toMatchObject({
      share: expect.toSatisfy((share: number) => share < 0.05),
    });
    expect(between(play, 60, 120).perSecond).toBeGreaterThan(4.4);
  });

  it('and says when: nothing is sent before that time', () => {
    const limit = limitedTo(5);
    const rests: number[] = [];
    const provider = (now: number) => {
      const outcome = limit(now);
      if (outcome.kind !== 'try_later') return outcome;
      rests.push(now + 1_500);
      return later(now + 1_500);
    };
    const play = new Play({ seconds: 60, latency: 50, provider });
    for (const rest of rests) {
      // What was in flight when the first word came had left already.
      const early = play.calls.filter(({ at }) => at < rest && at > rest - 1_490);
      expect(early.map(({ kind }) => kind)).toEqual([]);
    }
  });
});

describe('refusals that do not come from the number of calls', () => {
  it.each([20, 200, 2_000, 5_000])(
    'do not slow down: one of twenty, answers after %i ms',
    (latency) => {
      const seconds = latency < 100 ? 20 : 300;
      const most = 16_000 / latency;
      const shares = Array.from({ length: 9 }, (_, seed) => {
        const play = new Play({ seconds, latency, provider: moody(0.05, (seed + 1) * 7_919) });
        return between(play, seconds / 4, seconds).perSecond / most;
      });
      const sorted = shares.toSorted((one, other) => one - other);
      expect(sorted[4]).toBeGreaterThan(0.95);
      expect(sorted[0]).toBeGreaterThan(0.5);
    },
  );
});

describe('a time that the provider names', () => {
  it('is kept to the millisecond, and of two the later counts', () => {
    let now = 1_000;
    const pace = new ConcurrencyLimiter({ ceiling: 16, now: () => now });
    const startedAt = [pace.begin(), pace.begin()];
    pace.end(later(8_000), startedAt[0] ?? 0);
    pace.end(later(4_000), startedAt[1] ?? 0);
    expect(pace.restUntil).toBe(8_000);
    expect(pace.wait()).toBe(7_000);
    now = 7_999;
    expect(pace.wait()).toBe(1);
    now = 8_000;
    expect(pace.wait()).toBe(0);
  });
});

describe('a start', () => {
  it('is cautious: three calls before the first answer, and then as many as are allowed', () => {
    const play = new Play({ seconds: 3, latency: 1_000, provider: () => answer });
    expect(play.calls.filter(({ at }) => at < 1_000)).toHaveLength(3);
    expect(play.mostInFlight).toBe(16);
  });

  it('stays cautious while the key is refused, and is so again after a refusal', () => {
    const pace = new ConcurrencyLimiter({ ceiling: 16, now: () => 0 });
    const fill = () => {
      let calls = 0;
      for (; pace.wait() === 0; calls++) pace.begin();
      return calls;
    };
    expect(fill()).toBe(3);
    pace.end(answer, 0);
    expect(fill()).toBe(14);
    for (let call = 0; call < 16; call++)
      pace.end({ kind: 'provider_refused', reason: 'No quota.' }, 0);
    expect(fill()).toBe(3);
  });
});

describe('a provider that lets calls wait beyond the deadline', () => {
  const late: ChatOutcome = { kind: 'broken', isLate: true, reason: 'No answer came.' };

  /** Fills every place, lets time pass, and ends all calls alike. Gives back how many there were. */
  function round(pace: ConcurrencyLimiter, pass: () => void, outcome: ChatOutcome): number {
    const started: number[] = [];
    while (pace.wait() === 0) started.push(pace.begin());
    pass();
    for (const startedAt of started) pace.end(outcome, startedAt);
    return started.length;
  }

  it('gets fewer of them, once for those that went together, and one more for each round that is answered', () => {
    let now = 0;
    const pace = new ConcurrencyLimiter({ ceiling: 16, now: () => now });
    const pass = () => {
      now += 1_000;
    };
    const rounds = [answer, late, late, late, answer, answer].map((outcome) =>
      round(pace, pass, outcome),
    );
    expect(rounds).toEqual([3, 16, 9, 5, 3, 4]);
    for (let more = 0; more < 20; more++) round(pace, pass, answer);
    expect(round(pace, pass, answer)).toBe(16);
  });
});
