/** Lengths count by their logarithm, in quarters of an octave from 16 characters to 1 MiB. */
const bucketsPerOctave = 4;
const buckets = 80;
/** With fewer answers, no length is unusual. */
const warmUp = 30;
/** The usual length is computed again when the batch has grown by this share. */
const growth = 0.05;
/** In octaves: an outlier is at least four times as long or short as the middle answer. */
const leastDistance = 2;
const leastSpread = 0.4;
const spreads = 3;
/** More than this share is not an exception but a kind of answer. */
const mostOutliers = 0.02;

/** Finds answers that are much longer or shorter than others, in bounded memory. */
export class LengthOutliers {
  readonly #counts = new Uint32Array(buckets);
  #total = 0;
  #outliers = 0;
  #bounds: readonly [number, number] = [0, 0];
  #boundsUntil = 0;
  #waiting: { row: number; length: number }[] = [];

  /** Whether the answer is an outlier, and which of the first answers turn out to be outliers. */
  add(row: number, characters: number): { isOutlier: boolean; earlier: number[] } {
    const length = Math.log2(characters + 16) - 4;
    const bucket = Math.min(buckets - 1, Math.floor(length * bucketsPerOctave));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total++;
    if (this.#total < warmUp) {
      this.#waiting.push({ row, length });
      return { isOutlier: false, earlier: [] };
    }
    if (this.#total >= this.#boundsUntil) {
      this.#bounds = this.#usual();
      this.#boundsUntil = this.#total * (1 + growth);
    }
    const earlier = this.#waiting.filter((one) => this.#isOutside(one.length));
    if (this.#waiting.length > 0) this.#waiting = [];
    return { isOutlier: this.#isOutside(length), earlier: earlier.map((one) => one.row) };
  }

  #isOutside(length: number): boolean {
    const [lowest, highest] = this.#bounds;
    if (length >= lowest && length <= highest) return false;
    this.#outliers++;
    return this.#outliers <= Math.max(3, this.#total * mostOutliers);
  }

  #usual(): readonly [number, number] {
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => this.#quantile(share)) as [
      number,
      number,
      number,
    ];
    const spread = Math.max(leastSpread, high - low) * spreads;
    return [
      Math.min(low - spread, middle - leastDistance),
      Math.max(high + spread, middle + leastDistance),
    ];
  }

  #quantile(share: number): number {
    let passed = 0;
    const bucket = this.#counts.findIndex((count) => {
      passed += count;
      return passed >= this.#total * share;
    });
    return (bucket + 0.5) / bucketsPerOctave;
  }
}
