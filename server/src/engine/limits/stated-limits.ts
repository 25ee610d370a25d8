import type { Tokens } from '@rowmill/contract';
import type { StatedLimit } from '../port.ts';

/** A limit with more than this share remaining slows nothing. */
const plentyShare = 0.2;
/** The rate as a share of the refill rate, with nothing and with nearly `plentyShare` remaining. */
const refillShare = { least: 0.8, most: 1.1 };
/** The remaining calls are spread over this time, even those of a limit per day. */
const spreadSeconds = 10;
/** The size of a call is the average of this number of calls. */
const averagedCalls = 40;
/** A call counts as at most this many calls of median size: one odd count must not stop the key. */
const mostOfMedian = 20;

type Counted = Exclude<StatedLimit['of'], 'requests'>;

/** The tokens of a call that a limit counts. Anthropic counts none that it reads from its cache. */
const sizes: Readonly<Record<Counted, (tokens: Tokens) => number>> = {
  tokens: ({ input, output }) => input + output,
  input_tokens: ({ input, cached }) => input - cached,
  output_tokens: ({ output }) => output,
};

/** The limits of the key that the operator entered. */
export interface PerMinute {
  requests: number | null;
  tokens: number | null;
}

/**
 * The rate from limits in requests and tokens, entered by the operator or in the headers of
 * answers. Providers count them in token buckets, which refill evenly.
 */
export class StatedLimits {
  readonly #known: PerMinute;
  /** The tokens of the last calls. */
  readonly #calls: Tokens[] = [];
  readonly #fromHeaders = new Map<StatedLimit['of'], { rate: number; until: number }>();

  constructor(known: PerMinute = { requests: null, tokens: null }) {
    this.#known = known;
  }

  note(answer: { limits?: readonly StatedLimit[]; tokens?: Tokens | null }, now: number) {
    const { limits = [], tokens } = answer;
    if (tokens) this.#calls.push(tokens);
    if (this.#calls.length > averagedCalls) this.#calls.shift();
    for (const stated of limits) {
      const size = stated.of === 'requests' ? 1 : this.#sizeOfCalls(stated.of);
      if (size > 0)
        this.#fromHeaders.set(stated.of, {
          rate: rateOf(stated) / size,
          until: now + stated.resetMilliseconds,
        });
    }
  }

  /** Calls per second: at least one a minute for known tokens, however large calls seem. */
  rate(now: number): number {
    const known = this.#known;
    const stated = [...this.#fromHeaders.values()].filter(({ until }) => now < until);
    return Math.min(
      known.requests === null ? Infinity : known.requests / 60,
      known.tokens === null
        ? Infinity
        : Math.max(1, known.tokens / this.#sizeOfCalls('tokens')) / 60,
      ...stated.map(({ rate }) => rate),
    );
  }

  #sizeOfCalls(counted: Counted): number {
    const all = this.#calls.map(sizes[counted]);
    if (all.length === 0) return 0;
    const median = all.toSorted((one, other) => one - other)[(all.length - 1) >> 1] ?? 0;
    const sum = all.reduce((total, size) => total + Math.min(size, mostOfMedian * median), 0);
    return sum / all.length;
  }
}

function rateOf({ limit, remaining, resetMilliseconds }: StatedLimit): number {
  const left = remaining / limit;
  if (left >= plentyShare) return Infinity;
  const refillRate = ((limit - remaining) * 1_000) / resetMilliseconds;
  const share = refillShare.least + (refillShare.most - refillShare.least) * (left / plentyShare);
  return refillRate * share + remaining / spreadSeconds;
}
