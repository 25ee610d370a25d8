import type { Tokens } from '@rowmill/contract';
import type { StatedLimit } from '../port.ts';

/** Above this share of what is left, a limit does not slow anything. */
const plenty = 0.2;
/** The rate, in shares of what comes back: with nothing left, and with nearly plenty. */
const factor = { least: 0.8, most: 1.1 };
/** What is left may be used within this, also of a limit per day. */
const spreadSeconds = 10;
/** The size of a call is learned from about this number of calls. */
const learnedCalls = 20;

/** What the key allows, as the operator knows it. */
export interface PerMinute {
  requests: number | null;
  tokens: number | null;
}

/** The pace that a provider's own headers and the operator ask for, in requests and in tokens. Providers count them by buckets that fill evenly. */
export class StatedLimits {
  readonly #known: PerMinute;
  #tokensPerCall = 0;
  readonly #asked = { requests: nothing, tokens: nothing };

  constructor(known: PerMinute = { requests: null, tokens: null }) {
    this.#known = known;
  }

  note(answer: { limits?: readonly StatedLimit[]; tokens?: Tokens }, now: number) {
    const { limits = [], tokens } = answer;
    if (tokens) this.#learnSize(tokens.input + tokens.output);
    for (const stated of limits) {
      const size = stated.of === 'requests' ? 1 : this.#tokensPerCall;
      if (size > 0)
        this.#asked[stated.of] = {
          rate: rateOf(stated) / size,
          until: now + stated.resetMilliseconds,
        };
    }
  }

  /** Calls per second. */
  rate(now: number): number {
    const { requests, tokens } = this.#asked;
    const known = this.#known;
    return Math.min(
      known.requests === null ? Infinity : known.requests / 60,
      known.tokens === null ? Infinity : known.tokens / 60 / this.#tokensPerCall,
      now < requests.until ? requests.rate : Infinity,
      now < tokens.until ? tokens.rate : Infinity,
    );
  }

  #learnSize(tokens: number): void {
    const known = this.#tokensPerCall;
    this.#tokensPerCall = known === 0 ? tokens : known + (tokens - known) / learnedCalls;
  }
}

const nothing = { rate: Infinity, until: 0 };

function rateOf({ limit, remaining, resetMilliseconds }: StatedLimit): number {
  const left = remaining / limit;
  if (left >= plenty) return Infinity;
  const comesBack = ((limit - remaining) * 1_000) / resetMilliseconds;
  const share = factor.least + (factor.most - factor.least) * (left / plenty);
  return comesBack * share + remaining / spreadSeconds;
}
