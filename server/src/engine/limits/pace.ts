import { LimitEstimate, type Sent } from './limit-estimate.ts';
import { type PooledCall, PooledCalls } from './pooled-calls.ts';
import { isHardlyNoise, RefusalRun } from './refusal-run.ts';
import { type PerMinute, StatedLimits } from './stated-limits.ts';

/** A call whose fate is known, or which was under way for so long that it was not refused. */
export interface SentCall extends Sent {
  sentAt: number;
  /** When the answer arrived; infinite while it is under way. */
  endedAt: number;
  /** When the provider wants the next call, if it was refused and says so. */
  retryAt: number | null;
}

/** A timer fires late: a call within this time of its turn does not move the later ones. */
const timerSlackMilliseconds = 20;
/**
 * Calls sent within this are weighed together. So are this many when so large a share is refused: slots of refused calls are
 * free at once, so the search for a limit would make thousands in vain. More refusals are those of a used-up window.
 */
const together = { milliseconds: 100, calls: 250, refused: { least: 0.6, most: 0.95 } };
/**
 * A limit is raised by at most these shares, per call and per second; twice as fast after each second in which the estimate
 * stays far above it. Calls of several workers are weighed later.
 */
const growth = {
  perCall: 0.12,
  perSecond: 0.3,
  perSecondShared: 0.15,
  far: 1.5,
  doublesAfterMilliseconds: 1_000,
  mostPerSecond: 3,
};
/** With at most this part of the most calls in flight, or one, the provider works on hardly anything. */
const alone = 1 / 16;
/** The named time may be rounded down. */
const restSlackMilliseconds = 20;
/** How far off the rate may be that a used-up window tells: as far as our rate was above it, because that may have grown. */
const spread = { least: 0.05, most: 0.6, leastSeconds: 0.5 };
/** A rest that another worker was told counts at once when nothing was let in here for so long. */
const quietMilliseconds = 1_000;

/**
 * How fast calls may be sent with one key, and how many at once: as slots allow, until the refusals show a limit. Calls are
 * judged in the order in which they were sent, because refusals arrive sooner than answers.
 */
export class Pace {
  readonly #now: () => number;
  readonly #estimate = new LimitEstimate();
  readonly #stated: StatedLimits;
  /** This worker's part of what the key allows. */
  #share = 1;
  /** Calls per second of all workers; infinite while only slots limit them. */
  #rate = Infinity;
  #ceiling = Infinity;
  /** When the rate was last near the estimate. */
  #nearAt = 0;
  /** When the last call had its turn. */
  #turn = -Infinity;
  /** A rest named by the provider ends, or ended, here. */
  #restUntil = 0;
  /** Heard of, and not confirmed yet. */
  #heardRest = { until: 0, at: Infinity };
  #letInAt = -Infinity;
  readonly pool: PooledCalls;
  /** The calls of the last moment, not weighed yet; `before` is the last one of the moment before. */
  #moment = {
    from: -Infinity,
    last: -Infinity,
    before: -Infinity,
    calls: [] as Sent[],
    refused: 0,
    alone: 0,
  };
  #run: RefusalRun | null = null;
  #mostInFlight = 0;
  /** The most calls in flight with which one was let in. */
  #mostLetIn = 0;
  /** Calls let in since a rest ended, or all slots opened: with the next rest they make the rate of a window. */
  #sinceRest: { from: number; letIn: number };

  constructor(now: () => number, known?: PerMinute) {
    this.#now = now;
    this.#stated = new StatedLimits(known);
    this.pool = new PooledCalls({
      now,
      evaluate: (call) => this.#weigh(call),
      hasLimit: () => this.#rate < Infinity || this.#ceiling < Infinity,
    });
    this.#sinceRest = { from: now(), letIn: 0 };
  }

  /** When the next call may be sent. */
  get nextAt(): number {
    return Math.max(this.#restUntil, this.#turn + this.#gap);
  }

  /** How many calls the provider takes at once. */
  get ceiling(): number {
    return this.#ceiling * this.#share;
  }

  /** Until when the provider wants no call at all. */
  get restUntil(): number {
    return this.#restUntil;
  }

  /** Milliseconds between two calls: the more, the longer nothing is let in. */
  get #gap(): number {
    const rate = Math.min(this.#rate, this.#stated.rate(this.#now()));
    return Math.max(1_000 / (this.#share * rate), this.#run?.gap ?? 0);
  }

  /** An answer may state the limits of the key, so that they are kept before anything is refused. */
  heed(answer: Parameters<StatedLimits['note']>[0]): void {
    this.#stated.note(answer, this.#now());
  }

  /** All slots are open: from now on the provider limits, and not caution. */
  open(): void {
    this.#sinceRest = { from: this.#now(), letIn: 0 };
  }

  setShare(share: number): void {
    this.#share = share;
  }

  rest(until: number): void {
    this.#restUntil = Math.max(this.#restUntil, until);
  }

  /** Another worker was told to rest. While calls are let in here, the next refusal confirms it. */
  hearRest(until: number): void {
    if (this.#now() >= this.#letInAt + quietMilliseconds) this.rest(until);
    else this.#heardRest = { until, at: this.#now() };
  }

  send(): void {
    this.#turn = Math.max(this.#turn + this.#gap, this.#now() - timerSlackMilliseconds);
  }

  /** Calls come here in the order in which they were sent. */
  judge(call: SentCall): void {
    const { sentAt, isRefused, inFlight } = call;
    if (!isRefused) {
      this.#mostLetIn = Math.max(this.#mostLetIn, inFlight);
      this.#sinceRest.letIn++;
      this.#letInAt = sentAt;
    }
    if (sentAt >= this.#heardRest.at) {
      if (isRefused) this.rest(this.#heardRest.until);
      this.#heardRest = { until: 0, at: Infinity };
    }
    this.pool.add(call);
    // Sent before a rest began.
    if (sentAt < this.#restUntil) return;
    if (isRefused) this.#judgeRefused(call);
    else this.#run = null;
  }

  #weigh(call: PooledCall): void {
    const { sentAt, isRefused, inFlight } = call;
    this.#mostInFlight = inFlight;
    // Sent before a rest began.
    if (sentAt < this.#restUntil) return;
    if (this.#isMomentOver(call)) this.#learn(sentAt);
    this.#moment.last = sentAt;
    this.#moment.calls.push(call);
    if (isRefused) this.#moment.refused++;
    if (isRefused && this.#isAlone(inFlight)) this.#moment.alone++;
  }

  #isMomentOver({ sentAt, isRefused }: Sent & { sentAt: number }): boolean {
    const { from, calls, refused, alone } = this.#moment;
    // Nothing is let in: however long that lasts, it has one cause, which need not be a limit.
    if (alone > 0 && refused === calls.length && isHardlyNoise(alone, this.#estimate.noise))
      return !isRefused;
    if (sentAt >= from + together.milliseconds) return true;
    const { least, most } = together.refused;
    const share = refused / calls.length;
    return calls.length >= together.calls && share >= least && share <= most;
  }

  /** Weighs the calls of a moment when the next one begins. */
  #learn(nextFrom: number): void {
    const { from, last, before, calls, refused } = this.#moment;
    this.#moment = {
      from: nextFrom,
      last: nextFrom,
      before: last,
      calls: [],
      refused: 0,
      alone: 0,
    };
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
    // A ceiling that was found bounds the calls already.
    this.#rate = ceiling < Infinity ? rate : grown(this.#rate, rate, most, needed);
    this.#ceiling = grown(this.#ceiling, ceiling, most, this.#mostInFlight);
  }

  /** The share per second by which a limit may be raised. */
  #growthAt(at: number): number {
    const slowly = this.pool.isShared ? growth.perSecondShared : growth.perSecond;
    const doubled = (at - this.#nearAt) / growth.doublesAfterMilliseconds;
    return Math.min(growth.mostPerSecond, slowly * 2 ** doubled);
  }

  #judgeRefused(call: SentCall): void {
    const { inFlight } = call;
    // With fewer calls in flight it might have been let in.
    if (this.#mostLetIn > 0 && inFlight > this.#mostLetIn) return;
    this.#run ??= new RefusalRun(call);
    this.#run.add(call, { noise: this.#estimate.noise, isAlone: this.#isAlone(inFlight) });
    if (this.#run.isWholeKey(this.#now(), this.#mostLetIn > 0)) this.#restAsNamed(this.#run);
  }

  #isAlone(inFlight: number): boolean {
    return inFlight <= Math.max(1, this.#mostLetIn * alone);
  }

  /** All wait until the named time. Between two such rests, the calls let in are exactly what a window allows. */
  #restAsNamed({ namedTime, namesSame }: RefusalRun): void {
    const until = namedTime + restSlackMilliseconds;

    const { from, letIn } = this.#sinceRest;
    const seconds = (until - from) / 1_000;
    if (namesSame && seconds >= spread.leastSeconds && letIn > 0) {
      const rate = letIn / seconds / this.#share;
      const off = Math.log(this.#rate / rate) / 2;
      this.#estimate.measure(
        rate,
        Math.min(spread.most, Math.max(spread.least, off)) + 1.5 / letIn,
      );
      this.#rate = Math.min(this.#rate, rate);
      this.#sinceRest = { from: until, letIn: 0 };
    }
    this.#estimate.empty();
    this.#run = null;
    this.#restUntil = until;
    this.#turn = until - 1_000 / (this.#rate * this.#share);
    this.#moment = { from: until, last: until, before: until, calls: [], refused: 0, alone: 0 };
  }
}

/** Falls at once and rises in steps, until it is far above what is needed. */
function grown(from: number, to: number, factor: number, needed: number): number {
  const next = Math.min(to, from * factor);
  return to === Infinity && next > 3 * needed ? Infinity : next;
}
