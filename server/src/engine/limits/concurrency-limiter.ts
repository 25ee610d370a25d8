import type { ChatOutcome } from '../port.ts';
import { RateLimiter } from './rate-limiter.ts';
import { SlidingWindowCounter } from './sliding-window-counter.ts';

/** Calls in flight until the provider has answered once: enough to show that a key is bad (upstream-faults.test.ts). */
const callsBeforeFirstAnswer = 3;
/**
 * Share of refused calls ("try later") that stands for a rate limit: more than `hardShare` of at least `fewCalls`, or more
 * than `mildShare` of `manyCalls`. Noise of 5% crosses a line in one window of 30,000 (concurrency-limiter.test.ts).
 */
const limitEvidence = { fewCalls: 30, hardShare: 0.3, manyCalls: 200, mildShare: 0.12 };
/** Once refusals proved to be noise, more evidence is needed: noise of 20% crosses a line in one window of 160. */
const limitEvidenceAmidNoise = { fewCalls: 100, hardShare: 0.3, manyCalls: 400, mildShare: 0.25 };
/** Multiplies the calls in flight when calls time out: three rounds of time-outs take 16 calls to 3. */
const timeoutShrinkFactor = 0.6;
/** The provider dealt with the row. */
const reactions: ReadonlySet<ChatOutcome['kind']> = new Set([
  'answered',
  'row_refused',
  'unusable',
  'request_refused',
]);

/**
 * How many calls one provider key may have in flight. A few at first; with the first answer, as many as configured; fewer
 * when calls time out. When the provider refuses too many, a rate limiter takes over that starts with what the provider
 * answered in the last second. A cooldown that the provider names is kept to the millisecond.
 */
export class ConcurrencyLimiter {
  readonly #maxInFlight: number;
  readonly #now: () => number;
  #limit: number;
  #inFlight = 0;
  #cooldownUntil = 0;
  #hasAnswered = false;
  #answers = 0;
  #answersSinceGrowth = 0;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  #window = { calls: 0, refused: 0 };
  #isNoisy = false;
  #rate: RateLimiter | null = null;
  readonly #answersByEnd = new SlidingWindowCounter();
  readonly #answersByStart = new SlidingWindowCounter();

  constructor({ maxInFlight, now }: { maxInFlight: number; now: () => number }) {
    this.#maxInFlight = maxInFlight;
    this.#now = now;
    this.#limit = Math.min(callsBeforeFirstAnswer, maxInFlight);
  }

  get cooldownUntil(): number {
    return this.#cooldownUntil;
  }

  /** Rows that the provider answered or refused so far. */
  get answers(): number {
    return this.#answers;
  }

  /** Milliseconds until the next call may start. Infinity: only the end of another call can free a slot. */
  get waitMilliseconds(): number {
    if (this.#inFlight >= this.#limit) return Number.POSITIVE_INFINITY;
    const at = Math.max(this.#cooldownUntil, this.#rate?.nextAt ?? 0);
    return Math.max(0, at - this.#now());
  }

  /** Takes a slot and returns the time, for `release`. */
  acquire(): number {
    this.#inFlight++;
    this.#rate?.take();
    // All slots are taken and nothing is refused, so the rate is not what limits us.
    if (this.#rate?.isCalm && this.#inFlight >= this.#limit) this.#leaveRate({ isNoisy: false });
    return this.#now();
  }

  /** Of two cooldowns the later one counts. */
  coolDown(until: number): void {
    this.#cooldownUntil = Math.max(this.#cooldownUntil, until);
  }

  release(outcome: ChatOutcome, startedAt: number): void {
    this.#inFlight--;
    if (outcome.kind === 'aborted') return;
    if (outcome.kind === 'provider_refused') this.#startOver();
    if (reactions.has(outcome.kind)) this.#countAnswer(startedAt);
    if (outcome.kind === 'broken' && outcome.isLate) this.#shrink(startedAt);
    const isRefused = outcome.kind === 'try_later';
    if (isRefused && outcome.retryAt !== null) this.coolDown(outcome.retryAt);
    if (!this.#rate) this.#watchForLimit(isRefused);
    else if (!this.#rate.end({ isRefused, startedAt })) this.#leaveRate({ isNoisy: true });
  }

  /** The key was refused. When somebody resumes the batch, a few calls show again whether it is good. */
  #startOver(): void {
    this.#hasAnswered = false;
    this.#limit = Math.min(callsBeforeFirstAnswer, this.#maxInFlight);
  }

  #countAnswer(startedAt: number): void {
    this.#answers++;
    this.#answersByEnd.add(this.#now());
    this.#answersByStart.add(startedAt);
    this.#rate?.learn(startedAt);
    if (!this.#hasAnswered) this.#limit = this.#maxInFlight;
    this.#hasAnswered = true;
    if (this.#limit >= this.#maxInFlight || ++this.#answersSinceGrowth < this.#limit) return;
    this.#answersSinceGrowth = 0;
    this.#limit++;
  }

  /** Once for all calls that were sent together. */
  #shrink(startedAt: number): void {
    if (startedAt < this.#shrunkAt) return;
    this.#shrunkAt = this.#now();
    this.#answersSinceGrowth = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit * timeoutShrinkFactor));
  }

  #watchForLimit(isRefused: boolean): void {
    const window = this.#window;
    window.calls++;
    if (isRefused) window.refused++;
    const evidence = this.#isNoisy ? limitEvidenceAmidNoise : limitEvidence;
    const share = window.refused / window.calls;
    const isHard = window.calls >= evidence.fewCalls && share > evidence.hardShare;
    if (!isHard && window.calls < evidence.manyCalls) return;
    this.#window = { calls: 0, refused: 0 };
    if (share <= evidence.mildShare) return;
    const now = this.#now();
    this.#rate = new RateLimiter({
      now: this.#now,
      answersLastSecond: this.#answersByEnd.count(now),
      answeredOfStartedLastSecond: this.#answersByStart.count(now),
    });
  }

  #leaveRate({ isNoisy }: { isNoisy: boolean }): void {
    this.#isNoisy = isNoisy;
    this.#rate = null;
  }
}
