/** Timers fire a few milliseconds late: a call within this time of its slot does not move the later ones. */
const timerSlackMilliseconds = 20;
/** Providers count over about a second, so refusals this soon after a change are not caused by it. */
const reactionMilliseconds = 1_000;
/** One call in 20 seconds still notices when the limit is lifted. */
const minCallsPerSecond = 0.05;
/** Used when nothing was answered in the last second. */
const minStartCallsPerSecond = 0.2;
/** Of what the provider answered in a second. At 5 a second the answers stay above 90% of the limit (concurrency-limiter.test.ts). */
const startFactor = 0.95;
/** After one refusal. With the growth below, less than 5% of calls are refused (concurrency-limiter.test.ts). */
const refusedFactor = 0.93;
/** Half of the last ten calls are refused: the rate is far too high, and is halved. */
const collapse = { calls: 10, share: 0.5, factor: 0.5 };
/**
 * Growth per second: 0.1% per call a second, between 0.1% and 1%. It doubles with every ten seconds without a refusal, up to
 * 25%: after a limit of 5 became 100, 80 are used within 70 seconds (concurrency-limiter.test.ts).
 */
const growth = {
  shareForEachCallPerSecond: 0.001,
  minShare: 0.001,
  maxShare: 0.01,
  doublesAfterMilliseconds: 10_000,
  maxDoubledShare: 0.25,
};
/**
 * Refusals are noise when two in a row come at a rate more than 2% below the last refused one, and less than a quarter of
 * recent calls is refused: a limit would not refuse what it allowed before.
 */
const noise = { belowFactor: 0.98, times: 2, maxShare: 0.25 };

interface Start {
  now: () => number;
  answersLastSecond: number;
  /** Calls that were started in the last second and are answered already. */
  answeredOfStartedLastSecond: number;
}

/** Spaces calls evenly at a rate that stays a little below what the provider refuses, and probes for more. */
export class RateLimiter {
  readonly #now: () => number;
  #perSecond: number;
  #nextAt: number;
  #changedAt: number;
  #lastEndAt: number;
  #calmMilliseconds = 0;
  #recentRefusals: boolean[] = [];
  /** The rate at the last refusal. */
  #refusedPerSecond: number;
  #noiseSigns = 0;
  /** Answered calls of the second before the start; those that were in flight then are added when they are answered. */
  #answeredBeforeStart: number;
  #startedAt: number;

  constructor({ now, answersLastSecond, answeredOfStartedLastSecond }: Start) {
    this.#now = now;
    this.#startedAt = now();
    this.#answeredBeforeStart = answeredOfStartedLastSecond;
    this.#perSecond = Math.max(minStartCallsPerSecond, startFactor * answersLastSecond);
    this.#refusedPerSecond = this.#perSecond;
    this.#nextAt = this.#startedAt;
    this.#changedAt = this.#startedAt;
    this.#lastEndAt = this.#startedAt;
  }

  /** When the next call may start. */
  get nextAt(): number {
    return this.#nextAt;
  }

  /** Nothing was refused for a while. */
  get isCalm(): boolean {
    return this.#calmMilliseconds >= growth.doublesAfterMilliseconds;
  }

  take(): void {
    const from = Math.max(this.#nextAt, this.#now() - timerSlackMilliseconds);
    this.#nextAt = from + 1_000 / this.#perSecond;
  }

  /** A call was answered. If it started before this limiter, it shows how much the provider allowed then. */
  learn(startedAt: number): void {
    if (startedAt > this.#startedAt || startedAt <= this.#startedAt - 1_000) return;
    this.#answeredBeforeStart++;
    this.#perSecond = Math.max(this.#perSecond, startFactor * this.#answeredBeforeStart);
    this.#refusedPerSecond = Math.max(this.#refusedPerSecond, this.#perSecond);
  }

  /** A call has ended. False: refusals do not depend on the rate, so limiting it is useless. */
  end({ isRefused, startedAt }: { isRefused: boolean; startedAt: number }): boolean {
    const now = this.#now();
    // A cooldown, or a time without rows, does not count as time without refusals.
    const passed = Math.min(now - this.#lastEndAt, Math.max(1_000, 2_000 / this.#perSecond));
    this.#lastEndAt = now;
    this.#recentRefusals.push(isRefused);
    if (this.#recentRefusals.length > collapse.calls) this.#recentRefusals.shift();
    if (!isRefused) {
      this.#grow(passed);
      return true;
    }
    this.#calmMilliseconds = 0;
    return startedAt - this.#changedAt < reactionMilliseconds || this.#slowDown(now);
  }

  #grow(passedMilliseconds: number): void {
    this.#calmMilliseconds += passedMilliseconds;
    const share = growth.shareForEachCallPerSecond * this.#perSecond;
    const usual = Math.min(growth.maxShare, Math.max(growth.minShare, share));
    const doublings = Math.floor(this.#calmMilliseconds / growth.doublesAfterMilliseconds);
    const doubled = Math.min(growth.maxDoubledShare, usual * 2 ** doublings);
    this.#perSecond *= (1 + doubled) ** (passedMilliseconds / 1_000);
  }

  #slowDown(now: number): boolean {
    const share = this.#recentRefusals.filter(Boolean).length / this.#recentRefusals.length;
    const isCollapse = this.#recentRefusals.length >= collapse.calls && share >= collapse.share;
    const isBelow = this.#perSecond < this.#refusedPerSecond * noise.belowFactor;
    this.#noiseSigns = isBelow && share < noise.maxShare ? this.#noiseSigns + 1 : 0;
    this.#refusedPerSecond = this.#perSecond;
    const factor = isCollapse ? collapse.factor : refusedFactor;
    this.#perSecond = Math.max(minCallsPerSecond, this.#perSecond * factor);
    this.#changedAt = now;
    this.#startedAt = Number.NEGATIVE_INFINITY;
    if (isCollapse) this.#recentRefusals = [];
    return this.#noiseSigns < noise.times;
  }
}
