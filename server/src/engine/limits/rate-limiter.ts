/** Of several calls within so short a time, none is late: timers are not exact to the millisecond. */
const slackMilliseconds = 20;
/** Limits look back over a second or so: what is refused right after a change says nothing about it. */
const settleMilliseconds = 1_000;
const slowest = 0.05;
const slowestStart = 0.2;
/** What a limited provider has answered in a second is nearly what it allows. */
const margin = 0.95;
const shrink = 0.93;
/** Half of the last calls are refused: the rate is not a little too high, but far. */
const collapse = 0.5;
const recentCalls = 10;
/** Growth a second, the less the fewer calls there are to find out with; it doubles with every ten seconds without a
 * refusal, so that a limit that is gone is found out soon. */
const growth = {
  perCall: 0.001,
  least: 0.001,
  most: 0.01,
  doublesAfter: 10_000,
  mostDoubled: 0.25,
};
/** A refusal so far below the rate of the last one, and another, do not come from the rate, unless there are many. */
const surprise = { below: 0.98, times: 2, share: 0.25 };

interface Start {
  now: () => number;
  /** Answers in the last second. */
  answers: number;
  /** Calls that began in the last second and have been answered already. */
  answered: number;
}

/** Calls a second, in even steps: a little below what a provider refuses, and from time to time tried for more. */
export class RateLimiter {
  readonly #now: () => number;
  #perSecond: number;
  #nextAt: number;
  #changedAt: number;
  #lastEnd: number;
  #calm = 0;
  #recent: boolean[] = [];
  /** The rate at which calls were refused last. */
  #trouble: number;
  #surprises = 0;

  /** Calls of the last second before it was begun that were answered, some of them only afterwards. */
  #answered: number;
  #begunAt: number;

  constructor({ now, answers, answered }: Start) {
    this.#now = now;
    this.#begunAt = now();
    this.#answered = answered;
    this.#perSecond = Math.max(slowestStart, margin * answers);
    this.#trouble = this.#perSecond;
    this.#nextAt = now();
    this.#changedAt = now();
    this.#lastEnd = now();
  }

  get nextAt(): number {
    return this.#nextAt;
  }

  /** Nothing was refused for a good while. */
  get isCalm(): boolean {
    return this.#calm >= growth.doublesAfter;
  }

  take(): void {
    this.#nextAt =
      Math.max(this.#nextAt, this.#now() - slackMilliseconds) + 1_000 / this.#perSecond;
  }

  /** A call has been answered. One that left before says how much was allowed then. */
  learn(startedAt: number): void {
    if (startedAt > this.#begunAt || startedAt <= this.#begunAt - 1_000) return;
    this.#answered++;
    this.#perSecond = Math.max(this.#perSecond, margin * this.#answered);
    this.#trouble = Math.max(this.#trouble, this.#perSecond);
  }

  /** A call has ended. False: the refusals do not come from the rate, so that keeping it is of no use. */
  end({ isCrowded, startedAt }: { isCrowded: boolean; startedAt: number }): boolean {
    const now = this.#now();
    // A rest, or a time without rows, is not a time without refusals.
    const passed = Math.min(now - this.#lastEnd, Math.max(1_000, 2_000 / this.#perSecond));
    this.#lastEnd = now;
    this.#recent.push(isCrowded);
    if (this.#recent.length > recentCalls) this.#recent.shift();
    if (!isCrowded) this.#grow(passed);
    else this.#calm = 0;
    return !isCrowded || startedAt - this.#changedAt < settleMilliseconds || this.#slowDown(now);
  }

  #grow(passed: number): void {
    this.#calm += passed;
    const usual = Math.min(growth.most, Math.max(growth.least, growth.perCall * this.#perSecond));
    const doubled = Math.min(
      growth.mostDoubled,
      usual * 2 ** Math.floor(this.#calm / growth.doublesAfter),
    );
    this.#perSecond *= (1 + doubled) ** (passed / 1_000);
  }

  #slowDown(now: number): boolean {
    const share = this.#recent.filter(Boolean).length / this.#recent.length;
    const isFar = this.#recent.length >= recentCalls && share >= collapse;
    const isSurprise = this.#perSecond < this.#trouble * surprise.below && share < surprise.share;
    this.#surprises = isSurprise ? this.#surprises + 1 : 0;
    this.#trouble = this.#perSecond;
    this.#perSecond = Math.max(slowest, this.#perSecond * (isFar ? collapse : shrink));
    this.#changedAt = now;
    this.#begunAt = Number.NEGATIVE_INFINITY;
    if (isFar) this.#recent = [];
    return this.#surprises < surprise.times;
  }
}
