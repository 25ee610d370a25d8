import type { ChatOutcome } from '../port.ts';
import { LatestPeople } from './latest-people.ts';
import { LoneRefusals } from './lone-refusals.ts';
import type { PooledCalls } from './pooled-calls.ts';
import { RateLimiter } from './rate-limiter.ts';
import { RefusedPerson } from './refused-person.ts';
import type { PerMinute } from './stated-limits.ts';

/** Calls in flight until the first answer: enough to show that a key is bad. */
const callsBeforeFirstAnswer = 3;
/** Multiplies the calls in flight after time-outs: three rounds of time-outs take 16 to 3. */
const timeoutShrinkFactor = 0.6;
/** A call in flight for longer counts as accepted. On a busy machine refusals take longer. */
const acceptedAfter = {
  firstMilliseconds: 150,
  leastMilliseconds: 50,
  timesRefusal: 3,
  forgotten: 0.1,
};
/** The slot of a refused call cools down, or it would make 200 refused calls a second. */
const slotCooldownMilliseconds = 20;
/** The least time between two occasions on which the limits are forgotten. */
const forgetMilliseconds = 60_000;
/** Outcomes of rows that the provider processed. */
const reactions: ReadonlySet<ChatOutcome['kind']> = new Set([
  'answered',
  'row_refused',
  'unusable',
  'request_refused',
]);

/** The calls that a provider key may have in flight, which its lanes share. */
export class Slots {
  readonly ceiling: number;
  /** This worker's share of the ceiling. */
  #most: number;
  inFlight = 0;

  constructor(ceiling: number) {
    this.ceiling = ceiling;
    this.#most = ceiling;
  }

  get most(): number {
    return this.#most;
  }

  /** Calls above a smaller share continue. */
  setShare(share: number): void {
    this.#most = Math.max(1, Math.floor(this.ceiling * share));
  }
}

interface Settings {
  slots: Slots;
  now: () => number;
  perMinute?: PerMinute;
}

/** A call that was given a slot. */
export interface Call {
  readonly batch: string;
  readonly person: string;
  readonly sentAt: number;
  /** Calls in flight when it was sent, with itself. Refused ones are subtracted later. */
  inFlight: number;
  readonly number: number;
  /** Refusals in a row of one person, with this one, while calls of others are in flight; or 0. */
  refusedAlone: number;
  /** When it ended, and the number of the last call sent before. Infinite while it is in flight. */
  endedAt: number;
  endedAfter: number;
  isRefused: boolean;
  retryAt: number | null;
}

/**
 * Decides how many calls of a lane may be in flight: three at first, as many as its key has slots
 * after the first answer, fewer when calls time out. `RateLimiter` decides how fast they are sent.
 */
export class ConcurrencyLimiter {
  readonly #slots: Slots;
  readonly #now: () => number;
  readonly #rateLimiter: RateLimiter;
  readonly #loneRefusals = new LoneRefusals();
  readonly #refusedPerson = new RefusedPerson();
  /** Batches that alone were refused, until the engine takes note. */
  readonly #refusedAlone = new Set<string>();
  #forgotAt = Number.NEGATIVE_INFINITY;
  /** Infinite while only the slots limit the calls. */
  #limit = callsBeforeFirstAnswer;
  #inFlight = 0;
  /** When the slots of refused calls are free again. */
  #slotsCoolingDown: number[] = [];
  #hasAnswered = false;
  #answers = 0;
  #answersSinceGrowth = 0;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  /** The only person whose calls timed out then. */
  #shrunkBy: string | null = null;
  readonly #answered = new LatestPeople();
  readonly #late = new LatestPeople();
  #refusalMilliseconds = acceptedAfter.firstMilliseconds / acceptedAfter.timesRefusal;
  /** In the order in which they were sent. The first `#evaluated` ones are evaluated. */
  #calls: Call[] = [];
  #evaluated = 0;
  #sent = 0;
  /** Refused calls that some calls, not evaluated yet, still counted as in flight. */
  #refused: Call[] = [];

  constructor({ slots, now, perMinute }: Settings) {
    this.#slots = slots;
    this.#now = now;
    this.#rateLimiter = new RateLimiter(now, perMinute);
  }

  /** The end of the cooldown: no call may be sent before. */
  get cooldownUntil(): number {
    return this.#rateLimiter.cooldownUntil;
  }

  /** The calls of this and the other workers. */
  get pool(): PooledCalls {
    return this.#rateLimiter.pool;
  }

  /** Calls in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Rows that the provider has answered or refused. */
  get answers(): number {
    return this.#answers;
  }

  /** Calls per second that the limits allow all workers; infinite without a limit. */
  get rate(): number {
    return this.#rateLimiter.rate;
  }

  /** Calls at once that the provider takes of all workers; infinite without a limit. */
  get atOnce(): number {
    return this.#rateLimiter.atOnce;
  }

  /** Milliseconds until the next call may start. Infinite while all slots are in use. */
  get waitMilliseconds(): number {
    const { inFlight, most: slots } = this.#slots;
    const most = Math.max(1, Math.min(this.#limit, slots, this.#rateLimiter.ceiling));
    if (inFlight >= slots || this.#slotsInUse + 1 > most) return Number.POSITIVE_INFINITY;
    const now = this.#now();
    return Math.max(0, this.#rateLimiter.nextAt - now, this.#slotFreeAt(most, now) - now);
  }

  /**
   * Before the first answer a refused call keeps its slot until the calls sent before it are known:
   * a slow one would let more and more calls be refused, before three count as a cooldown.
   */
  get #slotsInUse(): number {
    if (this.#hasAnswered) return this.#inFlight;
    this.#evaluateCalls();
    return Math.max(this.#inFlight, this.#calls.length - this.#evaluated);
  }

  #slotFreeAt(most: number, now: number): number {
    while ((this.#slotsCoolingDown[0] ?? Infinity) <= now) this.#slotsCoolingDown.shift();
    const missing = Math.ceil(this.#inFlight + 1 + this.#slotsCoolingDown.length - most);
    return this.#slotsCoolingDown[missing - 1] ?? now;
  }

  /** While this person alone is refused, one call a second tests whether it still is so. */
  mayCallFor(person: string): boolean {
    return this.#refusedPerson.mayCall(person, this.#now());
  }

  /** Takes a slot; `release` frees it. `rowsLeft` are ready after it, if no others will follow. */
  acquire({ rowsLeft = Infinity, batch = '', person = '' } = {}): Call {
    this.#slots.inFlight++;
    const call: Call = {
      batch,
      person,
      sentAt: this.#now(),
      inFlight: ++this.#inFlight,
      number: ++this.#sent,
      refusedAlone: 0,
      endedAt: Infinity,
      endedAfter: Infinity,
      isRefused: false,
      retryAt: null,
    };
    this.#calls.push(call);
    this.#refusedPerson.begin(person, call.sentAt);
    this.#rateLimiter.noteSent(rowsLeft);
    this.#evaluateCalls();
    return call;
  }

  /** Sets this worker's share of the limits. */
  setShare(share: number): void {
    this.#rateLimiter.setShare(share);
  }

  /** Whether this batch alone was refused since the last time that this was asked. */
  takeRefusedAlone(batch: string): boolean {
    return this.#refusedAlone.delete(batch);
  }

  /** Another worker published a cooldown. */
  onCooldownNotice(until: number): void {
    this.#rateLimiter.suggestCooldown(until, { isIdle: this.#inFlight === 0 });
  }

  /** The later of two cooldowns counts. */
  startCooldown(until: number): void {
    this.#rateLimiter.startCooldown(until);
  }

  release(outcome: ChatOutcome, call: Call): void {
    this.#slots.inFlight--;
    this.#inFlight--;
    this.#refusedPerson.end(call.person);
    call.endedAt = this.#now();
    call.endedAfter = this.#sent;
    if (outcome.kind === 'provider_refused') this.#startOver();
    if (reactions.has(outcome.kind)) this.#countAnswer(call);
    if (outcome.kind === 'answered') this.#rateLimiter.noteHeaders(outcome);
    if (outcome.kind === 'broken' && outcome.isLate) this.#shrink(call);
    if (outcome.kind === 'try_later') {
      if (this.#rateLimiter.ceiling < Infinity)
        this.#slotsCoolingDown.push(this.#now() + slotCooldownMilliseconds);
      call.isRefused = true;
      call.retryAt = outcome.retryAt;
      const took = this.#now() - call.sentAt;
      const forgotten = (this.#refusalMilliseconds - took) * acceptedAfter.forgotten;
      this.#refusalMilliseconds = Math.max(took, this.#refusalMilliseconds - forgotten);
    }
    this.#evaluateCalls();
  }

  #evaluateCalls(): void {
    const usual = acceptedAfter.timesRefusal * this.#refusalMilliseconds;
    const acceptedBefore = this.#now() - Math.max(acceptedAfter.leastMilliseconds, usual);
    for (;;) {
      const call = this.#calls[this.#evaluated];
      if (!call || (call.endedAt === Infinity && call.sentAt > acceptedBefore)) break;
      this.#evaluated++;
      this.#subtractRefused(call);
      call.refusedAlone = this.#refusedPerson.note(call);
      this.#rateLimiter.evaluate(call);
      const isAlone = this.#loneRefusals.note(call.batch, call.isRefused, call.sentAt);
      if (isAlone !== 'no') this.#forgetLimits();
      if (isAlone === 'sure') this.#refusedAlone.add(call.batch);
      else if (!call.isRefused) this.#refusedAlone.delete(call.batch);
      if (call.isRefused) this.#refused.push(call);
    }
    if (this.#evaluated < 1_000) return;
    this.#calls = this.#calls.slice(this.#evaluated);
    this.#evaluated = 0;
  }

  /** Refusals of one batch were taken for a limit. A limit that exists must be found again. */
  #forgetLimits(): void {
    if (this.#now() < this.#forgotAt + forgetMilliseconds) return;
    this.#forgotAt = this.#now();
    this.#rateLimiter.forgetLimits();
  }

  /** A provider does not work on refused calls, so only accepted ones count as in flight. */
  #subtractRefused(call: Call): void {
    if (this.#refused.length === 0) return;
    this.#refused = this.#refused.filter(({ endedAfter }) => endedAfter >= call.number);
    call.inFlight -= this.#refused.length;
  }

  /** The key was refused. After the batch is resumed, three calls test the key again. */
  #startOver(): void {
    this.#hasAnswered = false;
    this.#limit = callsBeforeFirstAnswer;
  }

  #countAnswer({ person }: Call): void {
    this.#answers++;
    this.#answered.note(person, this.#now());
    const isDisproved = this.#shrunkBy !== null && this.#shrunkBy !== person;
    if (isDisproved) this.#shrunkBy = null;
    if (isDisproved || !this.#hasAnswered) {
      this.#limit = Infinity;
      this.#rateLimiter.onSlotsOpened();
    }
    this.#hasAnswered = true;
    if (++this.#answersSinceGrowth < this.#limit) return;
    this.#answersSinceGrowth = 0;
    this.#limit = this.#limit < this.#slots.most ? this.#limit + 1 : Infinity;
  }

  /**
   * Shrinks once per round: calls sent before the last shrink do not count. Nor do those of one
   * person while calls of another are answered: their prompts may take too long.
   */
  #shrink({ person, sentAt }: Call): void {
    const isAlone = !this.#late.includesOther(person, sentAt);
    this.#late.note(person, this.#now());
    if (sentAt < this.#shrunkAt) return;
    if (isAlone && this.#answered.includesOther(person, sentAt)) return;
    this.#shrunkBy = isAlone ? person : null;
    this.#shrunkAt = this.#now();
    this.#answersSinceGrowth = 0;
    const most = Math.min(this.#limit, this.#slots.most);
    this.#limit = Math.max(1, Math.floor(most * timeoutShrinkFactor));
  }
}
