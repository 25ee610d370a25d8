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
  readonly #sizes: number[] = [];
  readonly #fromHeaders = { requests: unlimited, tokens: unlimited };

  constructor(known: PerMinute = { requests: null, tokens: null }) {
    this.#known = known;
  }

  note(answer: { limits?: readonly StatedLimit[]; tokens?: Tokens }, now: number) {
    const { limits = [], tokens } = answer;
    if (tokens) this.#sizes.push(tokens.input + tokens.output);
    if (this.#sizes.length > averagedCalls) this.#sizes.shift();
    for (const stated of limits) {
      const size = stated.of === 'requests' ? 1 : this.#tokensPerCall;
      if (size > 0)
        this.#fromHeaders[stated.of] = {
          rate: rateOf(stated) / size,
          until: now + stated.resetMilliseconds,
        };
    }
  }

  /** Calls per second: at least one a minute for known tokens, however large calls seem. */
  rate(now: number): number {
    const { requests, tokens } = this.#fromHeaders;
    const known = this.#known;
    return Math.min(
      known.requests === null ? Infinity : known.requests / 60,
      known.tokens === null ? Infinity : Math.max(1, known.tokens / this.#tokensPerCall) / 60,
      now < requests.until ? requests.rate : Infinity,
      now < tokens.until ? tokens.rate : Infinity,
    );
  }

  get #tokensPerCall(): number {
    const sizes = this.#sizes;
    if (sizes.length === 0) return 0;
    const median = sizes.toSorted((one, other) => one - other)[(sizes.length - 1) >> 1] ?? 0;
    const sum = sizes.reduce((total, size) => total + Math.min(size, mostOfMedian * median), 0);
    return sum / sizes.length;
  }
}

const unlimited = { rate: Infinity, until: 0 };

function rateOf({ limit, remaining, resetMilliseconds }: StatedLimit): number {
  const left = remaining / limit;
  if (left >= plentyShare) return Infinity;
  const refillRate = ((limit - remaining) * 1_000) / resetMilliseconds;
  const share = refillShare.least + (refillShare.most - refillShare.least) * (left / plentyShare);
  return refillRate * share + remaining / spreadSeconds;
}
