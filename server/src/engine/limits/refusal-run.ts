/** A call that was refused. */
interface RefusedCall {
  sentAt: number;
  endedAt: number;
  /** The time before which the provider asked for no call, if it named one. */
  retryAt: number | null;
}

/** Noise produces a run of this weight once in nine million runs. */
const minWeight = 16;
/** Few calls say little about noise. With 10%, seven refusals in a row are not noise. */
const minNoise = 0.1;
/** When a run of refusals is a cooldown of the key. */
const keyCooldown = {
  /** Weight added when refusals that arrive at different times name the same time. */
  sameTime: 5,
  toleranceMilliseconds: 10,
  milliseconds: 30,
  names: 16,
  /** In an overload each refusal names another time. This is a cooldown only after this long. */
  otherTimesMilliseconds: 2_000,
  /** Refusals that are enough while the key has had no accepted call. */
  beforeFirstAnswer: 3,
};
/** While every call is refused, the wait between calls is this part of the run's length. */
const probes = { part: 0.25, mostMilliseconds: 1_000 };

/** Whether so long a run of refusals is too unlikely to be noise. */
export function isHardlyNoise(refused: number, noise: number): boolean {
  return refused * weightOf(noise) >= minWeight;
}

/** The negative logarithm of the probability that noise refuses one call. */
function weightOf(noise: number): number {
  return -Math.log(Math.max(minNoise, noise));
}

/** Refusals in a row, without an accepted call between them. */
export class RefusalRun {
  readonly #since: number;
  #last: number;
  #calls = 0;
  #weight = 0;
  /** Calls sent while the provider was nearly idle. */
  #nearlyIdle = 0;
  #noise = 0;
  #named: number[] = [];
  #compared: { at: number; time: number };
  #namesSameTime = false;

  constructor({ sentAt, endedAt, retryAt }: RefusedCall) {
    this.#since = sentAt;
    this.#last = sentAt;
    this.#compared = { at: endedAt, time: retryAt ?? 0 };
  }

  add(call: RefusedCall, { noise, isNearlyIdle }: { noise: number; isNearlyIdle: boolean }): void {
    this.#calls++;
    this.#last = call.sentAt;
    this.#noise = noise;
    this.#weight += weightOf(noise);
    if (isNearlyIdle) this.#nearlyIdle++;
    this.#named.push(call.retryAt ?? 0);
    if (this.#named.length > keyCooldown.names) this.#named.shift();
    if (call.endedAt >= this.#compared.at + keyCooldown.milliseconds) this.#compare(call.endedAt);
  }

  /** The refusals name one time, such as the end of a window. */
  get namesSameTime(): boolean {
    return this.#namesSameTime;
  }

  /** The median of the named times, so that one outlier decides nothing. */
  get namedTime(): number {
    return this.#named.toSorted((one, other) => one - other)[this.#named.length >> 1] ?? 0;
  }

  /** Milliseconds between two calls that only test whether calls are accepted again. */
  get probeInterval(): number {
    if (!isHardlyNoise(this.#nearlyIdle, this.#noise)) return 0;
    return Math.min(probes.mostMilliseconds, (this.#last - this.#since) * probes.part);
  }

  /** Whether the provider refuses every call until a named time, and not by chance. */
  isKeyCooldown(now: number, wasAnyAccepted: boolean): boolean {
    if (this.namedTime <= now) return false;
    if (!wasAnyAccepted) return this.#calls >= keyCooldown.beforeFirstAnswer;
    const least = this.#namesSameTime
      ? keyCooldown.milliseconds
      : keyCooldown.otherTimesMilliseconds;
    return this.#weight >= minWeight && this.#last - this.#since >= least;
  }

  #compare(at: number): void {
    const time = this.namedTime;
    this.#namesSameTime = Math.abs(time - this.#compared.time) < keyCooldown.toleranceMilliseconds;
    if (this.#namesSameTime) this.#weight += keyCooldown.sameTime;
    this.#compared = { at, time };
  }
}
