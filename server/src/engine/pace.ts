import type { ChatOutcome } from './port.ts';

/** Until a provider has answered once, so few calls show whether the key is any good. */
const cautiousLimit = 3;
/** Calls over which the share of refusals and failures is looked at. */
const smallestWindow = 20;
/** Some 429 among many answers are noise; more than this is a limit. */
const crowdedShare = 0.15;
const shrink = 0.6;
/** The rate that a limited provider gave is kept to, and tried for more, by so much. */
const rateMargin = 0.95;
const rateStep = 0.93;
const rateGrowthPerSecond = 1.01;
const brokenShare = 0.5;
const breakerCalls = 10;
export const breakerRestMilliseconds = 15_000;

/**
 * How fast one key of a provider may be asked. The number of calls in flight starts small, goes to the ceiling with the
 * first answer, shrinks when the provider says "too many" too often, and grows back slowly. Where even one call at a time
 * is too many, a rate takes over. A time that the provider names is kept to the millisecond. When half of the calls break,
 * the breaker opens: nothing is asked for a while, and then one call decides.
 */
export class Pace {
  readonly #ceiling: number;
  readonly #now: () => number;
  #limit = cautiousLimit;
  #inFlight = 0;
  #restUntil = 0;
  #hasAnswered = false;
  #window = { calls: 0, crowded: 0, since: 0 };
  #rate: { perSecond: number; nextAt: number; changedAt: number } | null = null;
  #recent: boolean[] = [];
  #breaker: 'closed' | 'open' | 'probing' = 'closed';

  constructor({ ceiling, now }: { ceiling: number; now: () => number }) {
    this.#ceiling = ceiling;
    this.#now = now;
    this.#limit = Math.min(cautiousLimit, ceiling);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isDown(): boolean {
    return this.#breaker !== 'closed';
  }

  get isOpen(): boolean {
    return this.#breaker === 'open';
  }

  get restUntil(): number {
    return this.#restUntil;
  }

  /** How long until the next call may start: 0 is now, infinity when only the end of another can make room. */
  wait(): number {
    if (this.#breaker === 'open') return Number.POSITIVE_INFINITY;
    const limit = this.#breaker === 'probing' ? 1 : this.#limit;
    if (this.#inFlight >= limit) return Number.POSITIVE_INFINITY;
    const at = Math.max(this.#restUntil, this.#rate?.nextAt ?? 0);
    return Math.max(0, at - this.#now());
  }

  begin(): void {
    this.#inFlight++;
    if (this.#rate) this.#rate.nextAt = Math.max(this.#rate.nextAt, this.#now()) + 1_000 / this.#rate.perSecond;
  }

  /** Of two times that a provider names, the later counts. */
  rest(until: number): void {
    this.#restUntil = Math.max(this.#restUntil, until);
  }

  end({ kind, ...outcome }: ChatOutcome): void {
    this.#inFlight--;
    if (kind === 'aborted') return;
    if (kind === 'try_later') this.#crowded((outcome as { retryAt: number | null }).retryAt);
    else this.#calm(kind);
    this.#watchBreaker(kind);
  }

  /** After the rest of an open breaker: one call decides. */
  probe(): void {
    if (this.#breaker === 'open') this.#breaker = 'probing';
  }

  #calm(kind: ChatOutcome['kind']): void {
    if (kind === 'answered' || kind === 'row_refused') {
      if (!this.#hasAnswered) this.#limit = this.#ceiling;
      this.#hasAnswered = true;
    }
    this.#growRate();
    this.#count(false);
  }

  #crowded(retryAt: number | null): void {
    if (retryAt !== null) this.rest(retryAt);
    if (this.#rate) this.#slowDown();
    this.#count(true);
  }

  #count(isCrowded: boolean): void {
    const window = this.#window;
    if (window.calls === 0) window.since = this.#now();
    window.calls++;
    if (isCrowded) window.crowded++;
    if (window.calls < Math.max(smallestWindow, Math.min(this.#limit, 100))) return;
    this.#window = { calls: 0, crowded: 0, since: 0 };
    if (window.crowded / window.calls <= crowdedShare) this.#grow();
    else this.#shrink(window);
  }

  #grow(): void {
    if (!this.#hasAnswered || this.#rate) return;
    this.#limit = Math.min(this.#ceiling, this.#limit + Math.max(1, Math.ceil(this.#limit / 10)));
  }

  #shrink({ calls, crowded, since }: { calls: number; crowded: number; since: number }): void {
    if (this.#limit > 1) {
      this.#limit = Math.max(1, Math.floor(this.#limit * shrink));
      return;
    }
    if (this.#rate) return;
    const now = this.#now();
    const answeredPerSecond = ((calls - crowded) / Math.max(1, now - since)) * 1_000;
    this.#rate = { perSecond: Math.max(0.2, answeredPerSecond * rateMargin), nextAt: now, changedAt: now };
  }

  #slowDown(): void {
    const rate = this.#rate;
    const now = this.#now();
    if (!rate || now - rate.changedAt < 1_000) return;
    rate.perSecond = Math.max(0.05, rate.perSecond * rateStep);
    rate.changedAt = now;
  }

  /** A rate that nobody needs any more, because it allows more than was ever asked at once, is given up. */
  #growRate(): void {
    const rate = this.#rate;
    if (!rate) return;
    const now = this.#now();
    const seconds = (now - rate.changedAt) / 1_000;
    if (seconds < 1) return;
    rate.perSecond *= rateGrowthPerSecond ** seconds;
    rate.changedAt = now;
    if (rate.perSecond > this.#ceiling * 10) this.#rate = null;
    else if (this.#limit < this.#ceiling && this.#inFlight >= this.#limit) this.#limit++;
  }

  #watchBreaker(kind: ChatOutcome['kind']): void {
    const isBroken = kind === 'broken';
    if (this.#breaker === 'probing') {
      this.#recent = [];
      this.#breaker = isBroken ? 'open' : 'closed';
      return;
    }
    this.#recent.push(isBroken);
    if (this.#recent.length > smallestWindow) this.#recent.shift();
    const broken = this.#recent.filter(Boolean).length;
    if (this.#recent.length >= breakerCalls && broken / this.#recent.length >= brokenShare) {
      this.#breaker = 'open';
      this.#recent = [];
    }
  }
}
