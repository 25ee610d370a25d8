import type { ChatOutcome } from '../port.ts';
import { Pace } from './pace.ts';
import type { PooledCalls } from './pooled-calls.ts';
import type { PerMinute } from './stated-limits.ts';

/** Calls in flight until the provider has answered once: enough to show that a key is bad (upstream-faults.test.ts). */
const callsBeforeFirstAnswer = 3;
/** Multiplies the calls in flight when calls time out: three rounds of time-outs take 16 calls to 3. */
const timeoutShrinkFactor = 0.6;
/** A call under way for longer than refusals take counts as let in. On a busy machine, they take longer all of a sudden. */
const patience = { firstMilliseconds: 150, leastMilliseconds: 50, timesRefusal: 3, forgotten: 0.1 };
/** With a limit of calls in flight, each slot above it would otherwise make a refused call as fast as refusals arrive. */
const slotRestMilliseconds = 20;
/** The provider dealt with the row. */
const reactions: ReadonlySet<ChatOutcome['kind']> = new Set([
  'answered',
  'row_refused',
  'unusable',
  'request_refused',
]);

interface Settings {
  maxInFlight: number;
  now: () => number;
  perMinute?: PerMinute;
}

/** A call that was given a slot. */
export interface Call {
  readonly sentAt: number;
  /** With how many, itself included. When it is judged, refused ones are subtracted. */
  inFlight: number;
  readonly number: number;
  /** When it ended, and the number of the last call that was sent before. Infinite while it is under way. */
  endedAt: number;
  endedAfter: number;
  isRefused: boolean;
  retryAt: number | null;
}

/**
 * How many calls one provider key may have in flight: a few at first; with the first answer, its share of what is
 * configured; fewer when calls time out. A refused row waits by itself. How fast all of them are sent is the matter of `Pace`, which gets the
 * calls in the order in which they were sent.
 */
export class ConcurrencyLimiter {
  readonly #ceiling: number;
  /** This worker's part of the ceiling. */
  #maxInFlight: number;
  readonly #now: () => number;
  readonly #pace: Pace;
  #limit: number;
  #inFlight = 0;
  /** When slots whose call was refused are free again. */
  #restingUntil: number[] = [];
  #hasAnswered = false;
  #answers = 0;
  #answersSinceGrowth = 0;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  #refusalMilliseconds = patience.firstMilliseconds / patience.timesRefusal;
  /** In the order in which they were sent; those before `#judged` were judged. */
  #calls: Call[] = [];
  #judged = 0;
  #sent = 0;
  /** Refused calls of which calls that were not judged yet may have been sent before the refusal arrived. */
  #refused: Call[] = [];

  constructor({ maxInFlight, now, perMinute }: Settings) {
    this.#ceiling = maxInFlight;
    this.#maxInFlight = maxInFlight;
    this.#now = now;
    this.#pace = new Pace(now, perMinute);
    this.#limit = Math.min(callsBeforeFirstAnswer, maxInFlight);
  }

  /** No call may be sent before: the provider refuses everything. */
  get cooldownUntil(): number {
    return this.#pace.restUntil;
  }

  /** Its calls and those of the other workers. */
  get pool(): PooledCalls {
    return this.#pace.pool;
  }

  /** Calls under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Rows that the provider answered or refused so far. */
  get answers(): number {
    return this.#answers;
  }

  /** Milliseconds until the next call may start. Infinity: only the end of another call can free a slot. */
  get waitMilliseconds(): number {
    const most = Math.max(1, Math.min(this.#limit, this.#pace.ceiling));
    if (this.#inFlight + 1 > most) return Number.POSITIVE_INFINITY;
    const now = this.#now();
    return Math.max(0, this.#pace.nextAt - now, this.#slotFreeAt(most, now) - now);
  }

  #slotFreeAt(most: number, now: number): number {
    while ((this.#restingUntil[0] ?? Infinity) <= now) this.#restingUntil.shift();
    const missing = Math.ceil(this.#inFlight + 1 + this.#restingUntil.length - most);
    return this.#restingUntil[missing - 1] ?? now;
  }

  /** Takes a slot. The call is for `release`. */
  acquire(): Call {
    const call: Call = {
      sentAt: this.#now(),
      inFlight: ++this.#inFlight,
      number: ++this.#sent,
      endedAt: Infinity,
      endedAfter: Infinity,
      isRefused: false,
      retryAt: null,
    };
    this.#calls.push(call);
    this.#pace.send();
    this.#judge();
    return call;
  }

  /** Sets this worker's share of the limits. Calls in flight above a smaller share continue; their slots are not reused. */
  setShare(share: number): void {
    this.#pace.setShare(share);
    const wasOpen = this.#limit >= this.#maxInFlight;
    this.#maxInFlight = Math.max(1, Math.floor(this.#ceiling * share));
    const isOpen = wasOpen && this.#hasAnswered;
    this.#limit = isOpen ? this.#maxInFlight : Math.min(this.#limit, this.#maxInFlight);
  }

  /** Another worker was told to call no more. */
  hearCooldown(until: number): void {
    this.#pace.hearRest(until);
  }

  /** Of two cooldowns the later one counts. */
  coolDown(until: number): void {
    this.#pace.rest(until);
  }

  release(outcome: ChatOutcome, call: Call): void {
    this.#inFlight--;
    call.endedAt = this.#now();
    call.endedAfter = this.#sent;
    if (outcome.kind === 'provider_refused') this.#startOver();
    if (reactions.has(outcome.kind)) this.#countAnswer();
    if (outcome.kind === 'answered') this.#pace.heed(outcome);
    if (outcome.kind === 'broken' && outcome.isLate) this.#shrink(call);
    if (outcome.kind === 'try_later') {
      if (this.#pace.ceiling < Infinity)
        this.#restingUntil.push(this.#now() + slotRestMilliseconds);
      call.isRefused = true;
      call.retryAt = outcome.retryAt;
      const took = this.#now() - call.sentAt;
      const forgotten = (this.#refusalMilliseconds - took) * patience.forgotten;
      this.#refusalMilliseconds = Math.max(took, this.#refusalMilliseconds - forgotten);
    }
    this.#judge();
  }

  #judge(): void {
    const late = patience.timesRefusal * this.#refusalMilliseconds;
    const isLetInSince = this.#now() - Math.max(patience.leastMilliseconds, late);
    for (;;) {
      const call = this.#calls[this.#judged];
      if (!call || (call.endedAt === Infinity && call.sentAt > isLetInSince)) break;
      this.#judged++;
      this.#subtractRefused(call);
      this.#pace.judge(call);
      if (call.isRefused) this.#refused.push(call);
    }
    if (this.#judged < 1_000) return;
    this.#calls = this.#calls.slice(this.#judged);
    this.#judged = 0;
  }

  /** The provider does not work on what it refuses: only calls that it let in take its room. */
  #subtractRefused(call: Call): void {
    if (this.#refused.length === 0) return;
    this.#refused = this.#refused.filter(({ endedAfter }) => endedAfter >= call.number);
    call.inFlight -= this.#refused.length;
  }

  /** The key was refused. When somebody resumes the batch, a few calls show again whether it is good. */
  #startOver(): void {
    this.#hasAnswered = false;
    this.#limit = Math.min(callsBeforeFirstAnswer, this.#maxInFlight);
  }

  #countAnswer(): void {
    this.#answers++;
    if (!this.#hasAnswered) {
      this.#limit = this.#maxInFlight;
      this.#pace.open();
    }
    this.#hasAnswered = true;
    if (this.#limit >= this.#maxInFlight || ++this.#answersSinceGrowth < this.#limit) return;
    this.#answersSinceGrowth = 0;
    this.#limit++;
  }

  /** Once for all calls that were sent together. */
  #shrink({ sentAt }: Call): void {
    if (sentAt < this.#shrunkAt) return;
    this.#shrunkAt = this.#now();
    this.#answersSinceGrowth = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit * timeoutShrinkFactor));
  }
}
