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

interface Scene {
  seconds: number;
  latency: number;
  /** The outcome of a call that arrives now. */
  provider: (now: number) => ChatOutcome;
}

/** Simulates, on a clock of its own, a client that always has rows to send. */
class Simulation {
  readonly calls: Call[] = [];
  mostInFlight = 0;
  readonly limiter: ConcurrencyLimiter;
  #now = 0;
  #events: { at: number; act: () => void }[] = [];
  #inFlight = 0;
  #hasTimer = false;
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.limiter = new ConcurrencyLimiter({ maxInFlight: 16, now: () => this.#now });
    this.#send();
    for (;;) {
      this.#events.sort((one, other) => one.at - other.at);
      const event = this.#events.shift();
      if (!event || event.at > scene.seconds * 1_000) return;
      this.#now = event.at;
      event.act();
      this.#send();
    }
  }

  #send(): void {
    while (this.limiter.waitMilliseconds === 0) this.#call();
    this.#sendAfter(this.limiter.waitMilliseconds);
  }

  #sendAfter(wait: number): void {
    if (wait === Number.POSITIVE_INFINITY || this.#hasTimer) return;
    this.#hasTimer = true;
    // Timers often fire a little late, never early.
    this.#after(Math.ceil(wait) + (this.calls.length % 3), () => {
      this.#hasTimer = false;
    });
  }

  #call(): void {
    const startedAt = this.limiter.acquire();
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    const outcome = this.#scene.provider(this.#now);
    this.calls.push({ at: this.#now, kind: outcome.kind });
    this.#after(outcome.kind === 'try_later' ? 5 : this.#scene.latency, () => {
      this.#inFlight--;
      this.limiter.release(outcome, startedAt);
    });
  }

  #after(milliseconds: number, act: () => void): void {
    this.#events.push({ at: this.#now + milliseconds, act });
  }
}

/** Answers this many calls in any second, and refuses the others. */
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

/** Refuses a share of calls, at any rate. The same seed makes the same choices. */
function noisy(share: number, seed: number): () => ChatOutcome {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) / 2 ** 23 < share ? later() : answer;
  };
}

function between({ calls }: Simulation, from: number, to: number) {
  const within = calls.filter(({ at }) => at >= from * 1_000 && at < to * 1_000);
  const refused = within.filter(({ kind }) => kind === 'try_later').length;
  return {
    perSecond: (within.length - refused) / (to - from),
    share: refused / within.length,
    calls: within.length,
  };
}

describe('a limit of calls per second', () => {
  it.each([
    [5, 20],
    [5, 200],
    [5, 1_000],
    [5, 2_000],
    [20, 100],
    [50, 250],
    [1, 50],
  ])(
    'of %i, with answers after %i ms, is nearly used up, and few calls are refused',
    (perSecond, latency) => {
      const run = new Simulation({ seconds: 80, latency, provider: limitedTo(perSecond) });
      const steady = between(run, 20, 80);
      expect(steady.perSecond).toBeGreaterThanOrEqual(0.9 * perSecond);
      expect(steady.perSecond).toBeLessThanOrEqual(perSecond);
      expect(steady.share).toBeLessThan(0.05);
    },
  );

  it('that is lifted is nearly used up again within 70 seconds', () => {
    const provider = limitedTo((now) => (now < 60_000 ? 5 : 100));
    const run = new Simulation({ seconds: 180, latency: 50, provider });
    expect(between(run, 130, 180).perSecond).toBeGreaterThan(80);
  });

  it('that gets lower makes few refusals after half a minute', () => {
    const provider = limitedTo((now) => (now < 30_000 ? 40 : 5));
    const run = new Simulation({ seconds: 120, latency: 50, provider });
    expect(between(run, 60, 120)).toMatchObject({
      share: expect.toSatisfy((share: number) => share < 0.05),
    });
    expect(between(run, 60, 120).perSecond).toBeGreaterThan(4.4);
  });

  it('with a time to wait gets no call before that time', () => {
    const limit = limitedTo(5);
    const cooldowns: number[] = [];
    const provider = (now: number) => {
      const outcome = limit(now);
      if (outcome.kind !== 'try_later') return outcome;
      cooldowns.push(now + 1_500);
      return later(now + 1_500);
    };
    const run = new Simulation({ seconds: 60, latency: 50, provider });
    for (const cooldown of cooldowns) {
      // Calls in flight at the first refusal were sent before it.
      const early = run.calls.filter(({ at }) => at < cooldown && at > cooldown - 1_490);
      expect(early.map(({ kind }) => kind)).toEqual([]);
    }
  });
});

describe('refusals that do not depend on the rate', () => {
  it.each([20, 200, 2_000, 5_000])(
    'slow nothing down: one call in twenty, answers after %i ms',
    (latency) => {
      const seconds = latency < 100 ? 20 : 300;
      const most = 16_000 / latency;
      const shares = Array.from({ length: 9 }, (_, seed) => {
        const run = new Simulation({ seconds, latency, provider: noisy(0.05, (seed + 1) * 7_919) });
        return between(run, seconds / 4, seconds).perSecond / most;
      });
      const sorted = shares.toSorted((one, other) => one - other);
      expect(sorted[4]).toBeGreaterThan(0.95);
      expect(sorted[0]).toBeGreaterThan(0.5);
    },
  );
});

describe('a cooldown', () => {
  it('is kept to the millisecond, and the later of two counts', () => {
    let now = 1_000;
    const limiter = new ConcurrencyLimiter({ maxInFlight: 16, now: () => now });
    const startedAt = [limiter.acquire(), limiter.acquire()];
    limiter.release(later(8_000), startedAt[0] ?? 0);
    limiter.release(later(4_000), startedAt[1] ?? 0);
    expect(limiter.cooldownUntil).toBe(8_000);
    expect(limiter.waitMilliseconds).toBe(7_000);
    now = 7_999;
    expect(limiter.waitMilliseconds).toBe(1);
    now = 8_000;
    expect(limiter.waitMilliseconds).toBe(0);
  });
});

describe('a new limiter', () => {
  it('sends three calls before the first answer, and then as many as configured', () => {
    const run = new Simulation({ seconds: 3, latency: 1_000, provider: () => answer });
    expect(run.calls.filter(({ at }) => at < 1_000)).toHaveLength(3);
    expect(run.mostInFlight).toBe(16);
  });

  it('returns to three calls when the key is refused', () => {
    const limiter = new ConcurrencyLimiter({ maxInFlight: 16, now: () => 0 });
    const fill = () => {
      let calls = 0;
      for (; limiter.waitMilliseconds === 0; calls++) limiter.acquire();
      return calls;
    };
    expect(fill()).toBe(3);
    limiter.release(answer, 0);
    expect(fill()).toBe(14);
    for (let call = 0; call < 16; call++)
      limiter.release({ kind: 'provider_refused', reason: 'No quota.' }, 0);
    expect(fill()).toBe(3);
  });
});

describe('calls that time out', () => {
  const late: ChatOutcome = { kind: 'broken', isLate: true, reason: 'No answer came.' };

  /** Fills every slot, lets time pass, and ends all calls alike. Returns how many there were. */
  function round(limiter: ConcurrencyLimiter, pass: () => void, outcome: ChatOutcome): number {
    const started: number[] = [];
    while (limiter.waitMilliseconds === 0) started.push(limiter.acquire());
    pass();
    for (const startedAt of started) limiter.release(outcome, startedAt);
    return started.length;
  }

  it('lower the limit once per round, and each answered round raises it by one', () => {
    let now = 0;
    const limiter = new ConcurrencyLimiter({ maxInFlight: 16, now: () => now });
    const pass = () => {
      now += 1_000;
    };
    const rounds = [answer, late, late, late, answer, answer].map((outcome) =>
      round(limiter, pass, outcome),
    );
    expect(rounds).toEqual([3, 16, 9, 5, 3, 4]);
    for (let more = 0; more < 20; more++) round(limiter, pass, answer);
    expect(round(limiter, pass, answer)).toBe(16);
  });
});
