import { LimitEstimate, type ObservedCall } from './limit-estimate.ts';
import { type PooledCall, PooledCalls } from './pooled-calls.ts';
import { isHardlyNoise, RefusalRun } from './refusal-run.ts';
import { mostRefusedAlone } from './refused-person.ts';
import { type PerMinute, StatedLimits } from './stated-limits.ts';

/** A call that ended, or that has been in flight for so long that it counts as accepted. */
export interface SentCall extends ObservedCall {
  /** Refusals in a row of one person, with this one, while calls of others are in flight; or 0. */
  refusedAlone: number;
  sentAt: number;
  /** When the answer arrived; infinite while the call is in flight. */
  endedAt: number;
  /** The time that the provider named in a refusal, before which it wants no call. */
  retryAt: number | null;
}

/** Timers fire late: a call that is late by at most this does not delay the later ones. */
const timerSlackMilliseconds = 20;
/**
 * The calls of 100 ms are one sample. While 60 to 95% are refused, it ends after 250 calls: refused
 * calls free their slots at once, and thousands would be wasted. More refusals: an exhausted
 * window.
 */
const sampleSize = { milliseconds: 100, calls: 250, refused: { least: 0.6, most: 0.95 } };
/**
 * A limit rises by at most these shares, per call and per second; the speed doubles each second
 * while the estimate is far above. With several workers, calls are evaluated later: it rises more
 * slowly.
 */
const growth = {
  perCall: 0.12,
  perSecond: 0.3,
  perSecondShared: 0.15,
  far: 1.5,
  doublesAfterMilliseconds: 1_000,
  mostPerSecond: 3,
};
/** In the last second of the work, the rate rises this slowly and is not searched. */
const calmMilliseconds = 5_000;
/**
 * Nearly idle: one call in flight, or this share of the most calls that were accepted. Before the
 * first accepted call, the three calls that are sent at once.
 */
const nearlyIdle = { share: 1 / 16, beforeFirstAnswer: 3 };
/** The provider may round the named time down. */
const cooldownSlackMilliseconds = 20;
/** Relative error of a rate measured between two cooldowns. It grows with our excess over it. */
const measureError = { least: 0.05, most: 0.6, leastSeconds: 0.5 };
/** After this long without an accepted call, a cooldown of another worker applies at once. */
const noAcceptedCallMilliseconds = 1_000;

/** The calls of a sample; `before` is the last call of the previous one. */
const sampleFrom = (from: number, before = from) => ({
  from,
  last: from,
  before,
  calls: [] as ObservedCall[],
  refused: 0,
  nearlyIdle: 0,
});

/**
 * Decides how fast and how many calls are sent with one key. Only slots limit them until refusals
 * show a limit. Refusals arrive before answers, so calls are evaluated in their order of sending.
 */
export class RateLimiter {
  readonly #now: () => number;
  #estimate = new LimitEstimate();
  readonly #stated: StatedLimits;
  /** This worker's share of the limits of the key. */
  #share = 1;
  /** Calls per second of all workers; infinite while only slots limit them. */
  #rate = Infinity;
  /** Falls with the rate and rises slowly after it. */
  #calmRate = Infinity;
  #ceiling = Infinity;
  /** Rows that are left after the last call, if they are all that is left. */
  #rowsLeft = Infinity;
  /** When the rate was last near the estimate. */
  #nearAt = 0;
  /** When the last call was scheduled. */
  #scheduledAt = -Infinity;
  /** The end of the current or last cooldown. */
  #cooldownUntil = 0;
  /** A cooldown of another worker that is not confirmed here yet. */
  #pendingCooldown = { until: 0, at: Infinity };
  /** When the last accepted call was sent. */
  #acceptedAt = -Infinity;
  readonly pool: PooledCalls;
  #sample = sampleFrom(-Infinity);
  #run: RefusalRun | null = null;
  #mostInFlight = 0;
  /** The most calls in flight with which one was accepted. */
  #mostAccepted = 0;
  /** Calls accepted since a cooldown ended. At the next one they give the rate of a window. */
  #sinceCooldown: { from: number; accepted: number };

  constructor(now: () => number, known?: PerMinute) {
    this.#now = now;
    this.#stated = new StatedLimits(known);
    this.pool = new PooledCalls({
      now,
      evaluate: (call) => this.#addToSample(call),
      hasLimit: () => this.#rate < Infinity || this.#ceiling < Infinity,
    });
    this.#sinceCooldown = { from: now(), accepted: 0 };
  }

  /** When the next call may be sent. */
  get nextAt(): number {
    return Math.max(this.#cooldownUntil, this.#scheduledAt + this.#gap);
  }

  /** Calls per second that the limits allow all workers; infinite without a limit. */
  get rate(): number {
    return Math.min(this.#rate, this.#stated.rate(this.#now()));
  }

  /** How many calls the provider takes at once, of all workers; infinite without a limit. */
  get atOnce(): number {
    return this.#ceiling;
  }

  /** This worker's share of them. */
  get ceiling(): number {
    return this.#ceiling * this.#share;
  }

  /** The end of the cooldown: no call may be sent before. */
  get cooldownUntil(): number {
    return this.#cooldownUntil;
  }

  /** Milliseconds between two calls. Grows while no call is accepted. */
  get #gap(): number {
    const isEnding = this.#rowsLeft < this.#rate * this.#share;
    const estimated = isEnding ? this.#calmRate : this.#rate;
    const rate = Math.min(estimated, this.#stated.rate(this.#now()));
    return Math.max(1_000 / (this.#share * rate), this.#run?.probeInterval ?? 0);
  }

  /** Notes the limits in the headers of an answer, to slow down before a call is refused. */
  noteHeaders(answer: Parameters<StatedLimits['note']>[0]): void {
    this.#stated.note(answer, this.#now());
  }

  /** All slots are open: from now on, only the provider limits the calls. */
  onSlotsOpened(): void {
    this.#sinceCooldown = { from: this.#now(), accepted: 0 };
  }

  setShare(share: number): void {
    this.#share = share;
  }

  /** What refusals have shown was wrong. */
  forgetLimits(): void {
    this.#estimate = new LimitEstimate();
    this.#rate = Infinity;
    this.#calmRate = Infinity;
    this.#ceiling = Infinity;
    this.#run = null;
    this.#sample = sampleFrom(-Infinity);
  }

  startCooldown(until: number): void {
    this.#cooldownUntil = Math.max(this.#cooldownUntil, until);
  }

  /** Applies another worker's cooldown at once, or at the next refusal if calls are accepted. */
  suggestCooldown(until: number, { isIdle }: { isIdle: boolean }): void {
    const isAccepted = !isIdle || this.#now() < this.#acceptedAt + noAcceptedCallMilliseconds;
    if (!isAccepted) this.startCooldown(until);
    else this.#pendingCooldown = { until, at: this.#now() };
  }

  /**
   * Counts a call that is sent now. A row that is refused at the end of the work waits alone, so
   * the last ones do not search for a higher limit.
   */
  noteSent(rowsLeft: number): void {
    this.#rowsLeft = rowsLeft;
    this.#scheduledAt = Math.max(
      this.#scheduledAt + this.#gap,
      this.#now() - timerSlackMilliseconds,
    );
  }

  /** Must be called in the order in which the calls were sent. */
  evaluate(call: SentCall): void {
    const { sentAt, isRefused, inFlight, refusedAlone } = call;
    if (!isRefused) {
      this.#mostAccepted = Math.max(this.#mostAccepted, inFlight);
      this.#sinceCooldown.accepted++;
      this.#acceptedAt = sentAt;
    }
    if (sentAt >= this.#pendingCooldown.at && refusedAlone === 0) {
      if (isRefused) this.startCooldown(this.#pendingCooldown.until);
      this.#pendingCooldown = { until: 0, at: Infinity };
    }
    if (refusedAlone <= mostRefusedAlone) this.pool.add(call);
    // Sent before a cooldown began.
    if (sentAt < this.#cooldownUntil) return;
    if (isRefused) this.#noteRefusal(call);
    else this.#run = null;
  }

  #addToSample(call: PooledCall): void {
    const { sentAt, isRefused, inFlight } = call;
    this.#mostInFlight = inFlight;
    // Sent before a cooldown began.
    if (sentAt < this.#cooldownUntil) return;
    // They show no limit yet. The run of refusals spaces the calls.
    if (isRefused && this.#mostAccepted === 0) return;
    if (this.#isSampleComplete(call)) this.#evaluateSample(sentAt);
    this.#sample.last = sentAt;
    this.#sample.calls.push(call);
    if (isRefused) this.#sample.refused++;
    if (isRefused && this.#isNearlyIdle(inFlight)) this.#sample.nearlyIdle++;
  }

  #isSampleComplete({ sentAt, isRefused }: ObservedCall & { sentAt: number }): boolean {
    const { from, calls, refused, nearlyIdle } = this.#sample;
    // While every call is refused, all are one sample with one cause, which need not be a limit.
    if (
      nearlyIdle > 0 &&
      refused === calls.length &&
      isHardlyNoise(nearlyIdle, this.#estimate.noise)
    )
      return !isRefused;
    if (sentAt >= from + sampleSize.milliseconds) return true;
    const { least, most } = sampleSize.refused;
    const share = refused / calls.length;
    return calls.length >= sampleSize.calls && share >= least && share <= most;
  }

  /** Evaluates a sample when the next one begins. */
  #evaluateSample(nextFrom: number): void {
    const { from, last, before, calls, refused } = this.#sample;
    this.#sample = sampleFrom(nextFrom, last);
    if (calls.length === 0) return;
    const estimate = this.#estimate;
    estimate.learn({
      calls,
      refused,
      idle: (from - before) / 1_000,
      seconds: (last - from) / 1_000,
    });
    const { rate, ceiling } = estimate;
    if (this.#rate === Infinity || rate < growth.far * this.#rate) this.#nearAt = nextFrom;
    const seconds = (nextFrom - from) / 1_000;
    const most = 1 + Math.min(growth.perCall * calls.length, this.#growthAt(nextFrom) * seconds);
    const needed = calls.length / seconds;
    // A known ceiling bounds the calls already, so the rate needs no steps.
    this.#rate = ceiling < Infinity ? rate : stepTowards(this.#rate, rate, most, needed);
    this.#ceiling = stepTowards(this.#ceiling, ceiling, most, this.#mostInFlight);
    const part = 1 - Math.exp((from - nextFrom) / calmMilliseconds);
    const rise = this.#rate > this.#calmRate ? part * (this.#rate - this.#calmRate) : 0;
    this.#calmRate = Math.min(this.#rate, this.#calmRate + rise);
  }

  /** The share per second by which a limit may rise. */
  #growthAt(at: number): number {
    const slowly = this.pool.isShared ? growth.perSecondShared : growth.perSecond;
    const doubled = (at - this.#nearAt) / growth.doublesAfterMilliseconds;
    return Math.min(growth.mostPerSecond, slowly * 2 ** doubled);
  }

  #noteRefusal(call: SentCall): void {
    const { inFlight } = call;
    // With fewer calls in flight, the provider might have accepted it.
    if (this.#mostAccepted > 0 && inFlight > this.#mostAccepted) return;
    this.#run ??= new RefusalRun(call);
    this.#run.add(call, {
      noise: this.#estimate.noise,
      isNearlyIdle: this.#isNearlyIdle(inFlight),
    });
    if (call.refusedAlone === 0 && this.#run.isKeyCooldown(this.#now(), this.#mostAccepted > 0))
      this.#startNamedCooldown(this.#run);
  }

  #isNearlyIdle(inFlight: number): boolean {
    if (this.#mostAccepted === 0) return inFlight <= nearlyIdle.beforeFirstAnswer;
    return inFlight <= Math.max(1, this.#mostAccepted * nearlyIdle.share);
  }

  /** Stops all calls until the named time. A window allows the calls between two cooldowns. */
  #startNamedCooldown({ namedTime, namesSameTime }: RefusalRun): void {
    const until = namedTime + cooldownSlackMilliseconds;

    const { from, accepted } = this.#sinceCooldown;
    const seconds = (until - from) / 1_000;
    if (namesSameTime && seconds >= measureError.leastSeconds && accepted > 0) {
      const rate = accepted / seconds / this.#share;
      const excess = Math.log(this.#rate / rate) / 2;
      this.#estimate.measure(
        rate,
        Math.min(measureError.most, Math.max(measureError.least, excess)) + 1.5 / accepted,
      );
      this.#rate = Math.min(this.#rate, rate);
      this.#calmRate = this.#rate;
      this.#sinceCooldown = { from: until, accepted: 0 };
    }
    this.#estimate.emptyBuckets();
    this.#run = null;
    this.#cooldownUntil = until;
    this.#scheduledAt = until - 1_000 / (this.#rate * this.#share);
    this.#sample = sampleFrom(until);
  }
}

/** Falls at once and rises in steps. Infinite once it is far above what is needed. */
function stepTowards(from: number, to: number, factor: number, needed: number): number {
  const next = Math.min(to, from * factor);
  return to === Infinity && next > 3 * needed ? Infinity : next;
}
