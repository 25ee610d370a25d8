/** A call that was refused. */
interface RefusedCall {
  sentAt: number;
  endedAt: number;
  /** When the provider wants the next call, if it says so. */
  retryAt: number | null;
}

/** What noise would make once in nine million runs is not noise. */
const leastWeight = 16;
/** Noise is guessed from few calls: as if at least one in ten were refused by chance, so seven in a row are no noise. */
const leastNoise = 0.1;
/** A run of refusals means that the whole key has to wait until the named time. */
const wholeKey = {
  /** Added when refusals name the same moment, though they were sent at different ones. */
  sameMoment: 5,
  toleranceMilliseconds: 10,
  milliseconds: 30,
  names: 16,
  /** Each refusal names another moment, as in an overload: only if nothing was let in for so long. */
  otherMomentsMilliseconds: 2_000,
  /** Of a key of which nothing was let in yet. */
  beforeFirstAnswer: 3,
};
/** While nothing is let in, calls wait for this part of the time that it has lasted. */
const probes = { part: 0.25, mostMilliseconds: 1_000 };

/** Whether noise would hardly ever refuse this many in a row. */
export function isHardlyNoise(refused: number, noise: number): boolean {
  return refused * weightOf(noise) >= leastWeight;
}

/** How unlikely one more refusal is, as a logarithm. */
function weightOf(noise: number): number {
  return -Math.log(Math.max(leastNoise, noise));
}

/** Refusals without a call let in between. */
export class RefusalRun {
  readonly #since: number;
  #last: number;
  #calls = 0;
  #weight = 0;
  /** Sent when the provider worked on hardly any other. */
  #alone = 0;
  #noise = 0;
  #named: number[] = [];
  #compared: { at: number; moment: number };
  #namesSame = false;

  constructor({ sentAt, endedAt, retryAt }: RefusedCall) {
    this.#since = sentAt;
    this.#last = sentAt;
    this.#compared = { at: endedAt, moment: retryAt ?? 0 };
  }

  add(call: RefusedCall, { noise, isAlone }: { noise: number; isAlone: boolean }): void {
    this.#calls++;
    this.#last = call.sentAt;
    this.#noise = noise;
    this.#weight += weightOf(noise);
    if (isAlone) this.#alone++;
    this.#named.push(call.retryAt ?? 0);
    if (this.#named.length > wholeKey.names) this.#named.shift();
    if (call.endedAt >= this.#compared.at + wholeKey.milliseconds) this.#compare(call.endedAt);
  }

  /** The refusals name one moment, as at the end of a window. */
  get namesSame(): boolean {
    return this.#namesSame;
  }

  /** The middle of the times that were named: one odd time decides nothing. */
  get namedTime(): number {
    return this.#named.toSorted((one, other) => one - other)[this.#named.length >> 1] ?? 0;
  }

  /** Milliseconds between two calls that only show whether something is let in. */
  get gap(): number {
    if (!isHardlyNoise(this.#alone, this.#noise)) return 0;
    return Math.min(probes.mostMilliseconds, (this.#last - this.#since) * probes.part);
  }

  /** Everything is refused until a named time, and not by chance. */
  isWholeKey(now: number, wasAnyLetIn: boolean): boolean {
    if (this.namedTime <= now) return false;
    if (!wasAnyLetIn) return this.#calls >= wholeKey.beforeFirstAnswer;
    const least = this.#namesSame ? wholeKey.milliseconds : wholeKey.otherMomentsMilliseconds;
    return this.#weight >= leastWeight && this.#last - this.#since >= least;
  }

  #compare(at: number): void {
    const moment = this.namedTime;
    this.#namesSame = Math.abs(moment - this.#compared.moment) < wholeKey.toleranceMilliseconds;
    if (this.#namesSame) this.#weight += wholeKey.sameMoment;
    this.#compared = { at, moment };
  }
}
