import type { ChatOutcome } from '../port.ts';
import { RateLimiter } from './rate-limiter.ts';
import { SlidingWindowCounter } from './sliding-window-counter.ts';

/** Until a provider has answered once, so few calls show whether the key is any good. */
const cautiousLimit = 3;
/** Some 429 among calls are noise; more than this share of so many is a limit. A few calls show a hard one, many show one that
 * is nearly kept. Of a provider that is known for its noise more is asked before it is taken for one. */
const usually = { few: 30, hard: 0.3, many: 200, mild: 0.12 };
const amidNoise = { few: 100, hard: 0.3, many: 400, mild: 0.25 };
/** A provider that lets calls wait beyond the deadline has too many of them. */
const shrink = 0.6;

/**
 * How fast one key of a provider may be asked. A few calls at first, and with the first answer as many as the ceiling
 * allows; fewer when calls wait in vain. When the provider says "too many" too often, a rate takes over, measured from
 * what it has answered. A time that the provider names is kept to the millisecond.
 */
export class ConcurrencyLimiter {
  readonly #ceiling: number;
  readonly #now: () => number;
  #limit: number;
  #inFlight = 0;
  #restUntil = 0;
  #hasAnswered = false;
  #answers = 0;
  #sinceGrowth = 0;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  #window = { calls: 0, crowded: 0 };
  #isNoisy = false;
  #rate: RateLimiter | null = null;
  readonly #answersByEnd = new SlidingWindowCounter();
  readonly #answersByStart = new SlidingWindowCounter();

  constructor({ ceiling, now }: { ceiling: number; now: () => number }) {
    this.#ceiling = ceiling;
    this.#now = now;
    this.#limit = Math.min(cautiousLimit, ceiling);
  }

  get restUntil(): number {
    return this.#restUntil;
  }

  /** Rows that the provider has dealt with so far. */
  get answers(): number {
    return this.#answers;
  }

  /** How long until the next call may start: 0 is now, infinity when only the end of another can make room. */
  wait(): number {
    if (this.#inFlight >= this.#limit) return Number.POSITIVE_INFINITY;
    const at = Math.max(this.#restUntil, this.#rate?.nextAt ?? 0);
    return Math.max(0, at - this.#now());
  }

  /** Gives back the time, which `end` wants to know. */
  begin(): number {
    this.#inFlight++;
    this.#rate?.take();
    // With every place taken and nothing refused, it is not the rate any more that holds us back.
    if (this.#rate?.isCalm && this.#inFlight >= this.#limit) this.#leaveRate({ isNoisy: false });
    return this.#now();
  }

  /** Of two times that a provider names, the later counts. */
  rest(until: number): void {
    this.#restUntil = Math.max(this.#restUntil, until);
  }

  end(outcome: ChatOutcome, startedAt: number): void {
    this.#inFlight--;
    if (outcome.kind === 'aborted') return;
    if (outcome.kind === 'provider_refused') this.#becomeCautious();
    if (outcome.kind === 'answered' || outcome.kind === 'row_refused') this.#countAnswer(startedAt);
    if (outcome.kind === 'broken' && outcome.isLate) this.#shrink(startedAt);
    const isCrowded = outcome.kind === 'try_later';
    if (isCrowded && outcome.retryAt !== null) this.rest(outcome.retryAt);
    if (!this.#rate) this.#watch(isCrowded);
    else if (!this.#rate.end({ isCrowded, startedAt })) this.#leaveRate({ isNoisy: true });
  }

  /** A key that was refused may be tried again by a person, and again few calls shall show whether it is any good. */
  #becomeCautious(): void {
    this.#hasAnswered = false;
    this.#limit = Math.min(cautiousLimit, this.#ceiling);
  }

  #countAnswer(startedAt: number): void {
    this.#answers++;
    this.#answersByEnd.add(this.#now());
    this.#answersByStart.add(startedAt);
    this.#rate?.learn(startedAt);
    if (!this.#hasAnswered) this.#limit = this.#ceiling;
    this.#hasAnswered = true;
    if (this.#limit >= this.#ceiling || ++this.#sinceGrowth < this.#limit) return;
    this.#sinceGrowth = 0;
    this.#limit++;
  }

  #shrink(startedAt: number): void {
    if (startedAt < this.#shrunkAt) return;
    this.#shrunkAt = this.#now();
    this.#sinceGrowth = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit * shrink));
  }

  #watch(isCrowded: boolean): void {
    const window = this.#window;
    window.calls++;
    if (isCrowded) window.crowded++;
    const limit = this.#isNoisy ? amidNoise : usually;
    const share = window.crowded / window.calls;
    if (window.calls < limit.few || (share <= limit.hard && window.calls < limit.many)) return;
    this.#window = { calls: 0, crowded: 0 };
    if (share <= limit.mild) return;
    const now = this.#now();
    const [answers, answered] = [this.#answersByEnd.count(now), this.#answersByStart.count(now)];
    this.#rate = new RateLimiter({ now: this.#now, answers, answered });
  }

  #leaveRate({ isNoisy }: { isNoisy: boolean }): void {
    this.#isNoisy = isNoisy;
    this.#rate = null;
  }
}
