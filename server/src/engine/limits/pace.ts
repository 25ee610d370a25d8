import { cautiousShare, Evidence, type Trial, weight } from './evidence.ts';
import { LetInCounter } from './let-in-counter.ts';

/** A call whose fate is known, or which was under way for so long that it was not refused. */
export interface SentCall {
  sentAt: number;
  isRefused: boolean;
  /** When the provider wants the next call, if it was refused and says so. */
  retryAt: number | null;
}

/** A timer fires late: a call within this time of its turn does not move the later ones. */
const timerSlackMilliseconds = 20;
/** Fewer calls say nothing about a key whose limit is unknown. */
const callsBeforeFirstCut = 20;
/** A false alarm is made about once in this time; one in e⁴ calls is the least. */
const falseAlarm = { everySeconds: 60, least: 4 };
/** Without a limit, refused calls make room for the next at once, so a real limit refuses half of all calls and more. */
const withoutLimit = { usual: 0.2, above: 0.3 };
/** With a rate: what counts as more than noise, at 6 calls a second and at 300. */
const withRate = { mostAbove: 0.2, leastAbove: 0.03, timesRootOfRate: 0.5 };
/** Noise: the share that is refused at any rate. It is learned from about this number of calls, or five seconds. */
const noise = { first: 0.04, least: 0.005, most: 0.4, firstCalls: 60, calls: 500, seconds: 5 };
/** A rate is set a little below what was let in, and at most halved: several cuts follow each other quickly. */
const cut = { factor: 0.97, most: 0.5, least: 0.1 };
/** A trial of a lower rate without a clear result ends after this number of calls, or a second. */
const trialCalls = 40;
/** Above this share, what was let in says where the limit is only roughly. */
const roughShare = 0.4;
/** Growth in shares: per call with no known limit or far below the known one, and per second near it. */
const growth = {
  searchPerCall: 0.12,
  returnPerCall: 0.03,
  fastestPerSecond: 1,
  nearLimit: 0.9,
  slowPerSecond: 0.01,
  /** Slower below ten calls a second, where little is learned in a second. */
  slowForEachCallPerSecond: 0.001,
  doublesAfterMilliseconds: 7_000,
  mostDoubled: 0.25,
};
/** A run of refusals that noise would make once in nine million runs means that the whole key has to wait. */
const runWeight = 16;
/** Refusals of one moment are an overload and not a key that is used up. */
const runMilliseconds = 30;
/** The named time may be rounded down. */
const restSlackMilliseconds = 20;
const namedTimes = 16;
/** A key of which nothing was let in yet. */
const refusalsBeforeFirstAnswer = 3;

/**
 * How fast calls may be sent with one key: as fast as slots allow, until the refusals show a limit. Noise does not answer
 * to a lower rate and a limit does, so each cut is a trial: when as many are refused as before, they were noise, and the
 * old rate returns. Calls are judged in the order in which they were sent, because refusals arrive sooner than answers.
 */
export class Pace {
  readonly #now: () => number;
  readonly #letIn = new LetInCounter();
  readonly #evidence = new Evidence();
  #hasLetIn = false;
  /** Calls per second; infinite while only slots limit them. */
  #rate = Number.POSITIVE_INFINITY;
  #nextAt = 0;
  /** A rest named by the provider ends, or ended, here. */
  #restUntil = 0;
  /** Calls sent earlier say nothing about the present rate. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #callsAtRate = 0;
  #noise = noise.first;
  #noiseCalls = noise.firstCalls;
  #noiseBeforeSuspicion = noise.first;
  /** The rate near which calls were refused last. */
  #limit = Number.POSITIVE_INFINITY;
  #trial: Trial | null = null;
  /** Cuts in a row that did not help, and the rate before the first. */
  #vainCuts = 0;
  #rateBeforeCuts = Number.POSITIVE_INFINITY;
  #isHeldBack = false;
  #calmSince: number;
  #grownAt: number;
  /** Calls per second, looked at ten times a second. */
  #usualRate = 1;
  #usualRateAt = 0;
  /** Refusals without a call let in between. */
  #run = { calls: 0, since: 0, named: [] as number[] };
  /** Calls let in since a rest ended: with the next rest they make the true rate of a window. */
  #sinceRest = { from: 0, letIn: 0, rests: 0, rate: 0 };

  constructor(now: () => number) {
    this.#now = now;
    this.#calmSince = now();
    this.#grownAt = this.#calmSince;
    this.#sinceRest.from = this.#calmSince;
  }

  /** When the next call may be sent. */
  get nextAt(): number {
    return this.#hasRate ? Math.max(this.#restUntil, this.#nextAt) : this.#restUntil;
  }

  /** Until when the provider wants no call at all. */
  get restUntil(): number {
    return this.#restUntil;
  }

  get #hasRate(): boolean {
    return this.#rate !== Number.POSITIVE_INFINITY;
  }

  rest(until: number): void {
    this.#restUntil = Math.max(this.#restUntil, until);
  }

  /** A call is sent. With all slots taken and nothing unusual refused, the rate is not what limits us. */
  send({ isFull }: { isFull: boolean }): void {
    if (!this.#hasRate) return;
    const now = this.#now();
    this.#isHeldBack = this.#nextAt > now - 100;
    this.#nextAt = Math.max(this.#nextAt, now - timerSlackMilliseconds) + 1_000 / this.#rate;
    if (!isFull || this.#trial || now - this.#calmSince < growth.doublesAfterMilliseconds) return;
    this.#limit = Number.POSITIVE_INFINITY;
    this.#setRate(Number.POSITIVE_INFINITY);
  }

  /** Calls come here in the order in which they were sent. */
  judge({ sentAt, isRefused, retryAt }: SentCall): void {
    if (!isRefused) {
      this.#hasLetIn = true;
      this.#letIn.add(sentAt);
      this.#sinceRest.letIn++;
    }
    if (sentAt < this.#changedAt) return;
    this.#callsAtRate++;
    this.#noteUsualRate();
    this.#evidence.add(isRefused, this.#shares);
    if (this.#evidence.score === 0) this.#noiseBeforeSuspicion = this.#noise;
    if (this.#isWholeKey({ sentAt, isRefused, retryAt })) this.#rest();
    else if (this.#trial) this.#judgeTrial(this.#trial, isRefused);
    else {
      if (this.#hasRate) this.#grow();
      else this.#learnNoise(isRefused ? 1 : 0, 1);
      this.#cutIfNeeded();
    }
  }

  #noteUsualRate(): void {
    const now = this.#now();
    if (now - this.#usualRateAt < 100) return;
    this.#usualRateAt = now;
    const rate = this.#hasRate ? this.#rate : this.#letIn.perSecond(now, this.#restUntil);
    this.#usualRate = Math.max(1, rate);
  }

  get #shares(): { usual: number; much: number } {
    if (!this.#hasRate) {
      const usual = Math.max(this.#noise, withoutLimit.usual);
      return { usual, much: usual + withoutLimit.above };
    }
    const { mostAbove, leastAbove, timesRootOfRate } = withRate;
    const above = Math.max(leastAbove, timesRootOfRate / Math.sqrt(this.#usualRate));
    return { usual: this.#noise, much: this.#noise + Math.min(mostAbove, above) };
  }

  get #enough(): number {
    return Math.max(falseAlarm.least, Math.log(falseAlarm.everySeconds * this.#usualRate));
  }

  #cutIfNeeded(): void {
    if (this.#evidence.score <= this.#enough) return;
    if (this.#hasRate) {
      // When all are refused until a named time, a rest follows.
      if (this.#callsAtRate < 5 || (this.#evidence.isTotal && this.#namesLater)) return;
    } else {
      if (this.#callsAtRate < callsBeforeFirstCut) return;
      this.#noise = this.#noiseBeforeSuspicion;
    }
    this.#vainCuts = 0;
    this.#rateBeforeCuts = this.#rate;
    this.#cut(this.#evidence.share);
  }

  #cut(share: number): void {
    const now = this.#now();
    const before = this.#rate;
    const letIn = Math.min(1, (1 - share) / (1 - this.#noise));
    const rate = this.#hasRate
      ? before * Math.max(cut.most, letIn)
      : this.#letIn.perSecond(now, this.#restUntil) / (1 - this.#noise);
    this.#limit = share < roughShare ? rate : before;
    this.#trial = { share: Math.max(share, this.#noise + 0.1), score: 0, calls: 0, refused: 0 };
    this.#setRate(rate * cut.factor);
  }

  #setRate(rate: number): void {
    const now = this.#now();
    this.#rate = Math.max(cut.least, rate);
    this.#evidence.clear();
    this.#run.calls = 0;
    this.#callsAtRate = 0;
    this.#changedAt = now;
    this.#calmSince = now;
    this.#grownAt = now;
    this.#nextAt = Math.max(now, this.#restUntil);
  }

  /** Is a smaller share refused at the lower rate? */
  #judgeTrial(trial: Trial, isRefused: boolean): void {
    trial.calls++;
    if (isRefused) trial.refused++;
    const much = Math.min(trial.share, this.#noise + 0.3);
    trial.score += weight(isRefused, { usual: this.#noise, much });
    if (trial.score > this.#enough) this.#endInVain(trial);
    else if (trial.score < -this.#enough || trial.calls >= Math.max(trialCalls, this.#usualRate)) {
      this.#learnNoise(trial.refused, trial.calls);
      this.#trial = null;
      this.#calmSince = this.#now();
      this.#grownAt = this.#calmSince;
    }
  }

  /** As much is refused as before. Twice, at a share that noise can have: it is noise. */
  #endInVain({ share, calls, refused }: Trial): void {
    if (refused === calls && this.#namesLater) return;
    const isPossibleNoise = Math.max(share, refused / calls) <= noise.most;
    if (!isPossibleNoise || this.#vainCuts === 0) {
      if (isPossibleNoise) this.#vainCuts++;
      this.#cut(cautiousShare(refused, calls));
    } else if (calls >= 20) {
      this.#noise = refused / calls;
      this.#noiseCalls = noise.firstCalls;
      this.#trial = null;
      this.#limit = this.#rateBeforeCuts;
      this.#setRate(this.#rateBeforeCuts);
    }
  }

  #learnNoise(refused: number, calls: number): void {
    const most = Math.max(noise.calls, noise.seconds * this.#usualRate);
    this.#noiseCalls = Math.min(most, this.#noiseCalls + calls);
    const learned = this.#noise + ((refused / calls - this.#noise) * calls) / this.#noiseCalls;
    this.#noise = Math.min(noise.most, Math.max(noise.least, learned));
  }

  #grow(): void {
    const now = this.#now();
    const seconds = Math.min(1, Math.max(0, now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    if (!this.#isHeldBack) return;
    if (this.#rate < growth.nearLimit * this.#limit) {
      const isSearch = this.#limit === Number.POSITIVE_INFINITY;
      const perCall = isSearch ? growth.searchPerCall : growth.returnPerCall;
      this.#rate *= 1 + Math.min(perCall, growth.fastestPerSecond * seconds);
      return;
    }
    const doublings = Math.floor((now - this.#calmSince) / growth.doublesAfterMilliseconds);
    const slow = Math.min(growth.slowPerSecond, growth.slowForEachCallPerSecond * this.#rate);
    this.#rate *= 1 + Math.min(growth.mostDoubled, slow * 2 ** doublings) * seconds;
  }

  /** Everything is refused, and not by chance. */
  #isWholeKey({ sentAt, isRefused, retryAt }: SentCall): boolean {
    const run = this.#run;
    if (!isRefused) {
      run.calls = 0;
      return false;
    }
    if (run.calls === 0) Object.assign(run, { since: sentAt, named: [] });
    run.calls++;
    run.named.push(retryAt ?? 0);
    if (run.named.length > namedTimes) run.named.shift();
    if (!this.#namesLater) return false;
    if (!this.#hasLetIn) return run.calls >= refusalsBeforeFirstAnswer;
    const isLong = run.calls >= -runWeight / Math.log(Math.max(this.#noise, 0.1));
    return isLong && sentAt - run.since >= runMilliseconds;
  }

  /** The middle of the times that the refusals in a row have named: one odd time decides nothing. */
  get #namedTime(): number {
    const { named } = this.#run;
    return named.toSorted((one, other) => one - other)[named.length >> 1] ?? 0;
  }

  get #namesLater(): boolean {
    return this.#namedTime > this.#now();
  }

  /** All wait until the named time. Between two such rests, the calls let in are exactly what a window allows. */
  #rest(): void {
    const until = this.#namedTime + restSlackMilliseconds;
    if (!this.#hasRate) this.#noise = this.#noiseBeforeSuspicion;
    const past = this.#sinceRest;
    const seconds = (until - past.from) / 1_000;
    const isMeasured = seconds > 0.5 && past.letIn >= 5;
    if (isMeasured && past.rests > 0) {
      const rate = past.letIn / seconds / (1 - this.#noise);
      const isSameAgain = Math.abs(rate / past.rate - 1) < 0.2;
      if (rate < this.#rate) {
        this.#rate = Math.max(cut.least, rate);
        this.#limit = isSameAgain ? rate : Number.POSITIVE_INFINITY;
      }
      past.rate = rate;
    }
    if (isMeasured || past.rests === 0)
      Object.assign(past, { from: until, letIn: 0, rests: past.rests + (isMeasured ? 1 : 0) });
    if (this.#trial) Object.assign(this.#trial, { score: 0, calls: 0, refused: 0 });
    this.#evidence.clear();
    this.#run.calls = 0;
    this.#restUntil = until;
    this.#nextAt = until;
    this.#calmSince = until;
    this.#grownAt = until;
    this.#changedAt = until;
  }
}
