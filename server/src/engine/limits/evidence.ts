/**
 * A running test of calls in the order in which they were sent: is a larger share refused than usual? Each refusal speaks
 * for it, each call that was let in against it, as strongly as the two shares differ (CUSUM). The number of calls decides
 * and not the time, so it works at one call a second as at a thousand.
 */
export class Evidence {
  #score = 0;
  /** Since the score was last zero. */
  #calls = 0;
  #refused = 0;

  get score(): number {
    return this.#score;
  }

  /** Every call since the suspicion began was refused. */
  get isTotal(): boolean {
    return this.#calls > 0 && this.#refused === this.#calls;
  }

  /** Pulled towards a fifth, because a suspicion starts with a refusal: few calls make a share look larger than it is. */
  get share(): number {
    return cautiousShare(this.#refused, this.#calls);
  }

  add(isRefused: boolean, shares: { usual: number; much: number }): void {
    this.#score = Math.max(0, this.#score + weight(isRefused, shares));
    if (this.#score === 0) this.clear();
    else {
      this.#calls++;
      if (isRefused) this.#refused++;
    }
  }

  clear(): void {
    this.#score = 0;
    this.#calls = 0;
    this.#refused = 0;
  }
}

/** Of a lower rate: does it help? `share` was refused at the higher one. */
export interface Trial {
  share: number;
  score: number;
  calls: number;
  refused: number;
}

/** The logarithm of how much likelier this call is when `much` is refused than when `usual` is. */
export function weight(
  isRefused: boolean,
  { usual, much }: { usual: number; much: number },
): number {
  return isRefused ? Math.log(much / usual) : Math.log((1 - much) / (1 - usual));
}

export function cautiousShare(refused: number, calls: number): number {
  return (refused + 1) / (calls + 5);
}
