import { randomFrom } from '../random.ts';
import { type LimitNames, namedFor } from './wire/limit-names.ts';

/** How the fake answers. It can be changed while the fake runs. */
export interface Behaviour {
  /** Milliseconds before every answer. */
  latency: number;
  /** Shares of calls, 0 to 1, that are answered with 429 or 500. */
  share429: number;
  share500: number;
  /** The share of calls that fail, in turn with 500, 502, 503 and a reset connection. */
  shareFailing: number;
  /** The share of calls for the flex tier that find no capacity. */
  shareWithoutFlex: number;
  /** Answers every call with this status. */
  status: number | null;
  /** Resets the connection of every call. */
  down: boolean;
  /** The `retry-after` of every 429 and 503. */
  retryAfter: string | number | null;
  /** Writes `retryAfter` seconds as `retry-after-ms`, or as a date. */
  retryAfterAs: 'seconds' | 'milliseconds' | 'date';
  /** Calls above this number in any second are answered with 429. */
  limitPerSecond: number | null;
  /** What the model makes of `response_format`. */
  responseFormat: 'obeyed' | 'ignored' | 'refused';
  /** The answers that `[[answer 0]]` and so on ask for. */
  answers: readonly string[];
  /** Buckets of calls, or of tokens. Refused calls take nothing and get the time to retry. */
  bucketPerMinute: number | null;
  tokensPerMinute: number | null;
  outputTokensPerMinute: number | null;
  /** The only model whose calls they count. */
  limitedModel: string | null;
  /** The buckets hold what comes in this time. */
  bucketSeconds: number;
  /** Answers say in OpenAI's headers what is left of these buckets, or in those of another. */
  statesLimits: boolean;
  limitNames: LimitNames;
  /** With more calls in flight, a call is answered with 503 and a second to wait. */
  overloadAbove: number | null;
}

export const defaultBehaviour: Readonly<Behaviour> = {
  latency: 0,
  share429: 0,
  share500: 0,
  shareFailing: 0,
  shareWithoutFlex: 0,
  status: null,
  down: false,
  retryAfter: null,
  retryAfterAs: 'seconds',
  limitPerSecond: null,
  responseFormat: 'obeyed',
  answers: [],
  bucketPerMinute: null,
  tokensPerMinute: null,
  outputTokensPerMinute: null,
  limitedModel: null,
  bucketSeconds: 1,
  statesLimits: false,
  limitNames: 'openai',
  overloadAbove: null,
};

/** In place of a status: the connection is reset. */
export const reset = 0;
const failures = [500, 502, 503, reset] as const;

interface Arrived {
  now: number;
  model: string;
  tokens: number;
  output: number;
  inFlight: number;
}

/** Chooses the status of each call. The same seed makes the same choices. */
export class StatusChooser {
  readonly behaviour: Behaviour;
  readonly #random: () => number;
  /** A ring buffer with the times of the last admitted calls. Its oldest entry decides. */
  #admitted: number[] = [];
  #next = 0;
  #failed = 0;
  #calls = new Bucket();
  #tokens = new Bucket();
  #output = new Bucket();

  constructor(behaviour: Behaviour, seed: number) {
    this.behaviour = behaviour;
    this.#random = randomFrom(seed);
  }

  change(changes: Partial<Behaviour>): void {
    for (const name of Object.keys(changes))
      if (!(name in defaultBehaviour))
        throw new Error(
          `There is no ${name}; there are ${Object.keys(defaultBehaviour).join(', ')}`,
        );
    if (changes.limitPerSecond !== undefined) {
      this.#admitted = [];
      this.#next = 0;
    }
    // A limit that was just set has let nothing in yet.
    if (changes.bucketPerMinute !== undefined) this.#calls = new Bucket();
    if (changes.tokensPerMinute !== undefined) this.#tokens = new Bucket();
    if (changes.outputTokensPerMinute !== undefined) this.#output = new Bucket();
    Object.assign(this.behaviour, changes);
  }

  /** What a call is answered with; `waitSeconds` when the fake knows when to return. */
  replyTo(call: Arrived) {
    const { bucketPerMinute, tokensPerMinute, outputTokensPerMinute } = this.behaviour;
    const { bucketSeconds, overloadAbove } = this.behaviour;
    if (overloadAbove !== null && call.inFlight > overloadAbove)
      return { status: 503, waitSeconds: 1 };
    if (!this.#isLimited(call.model)) return { status: this.#statusOf(call.now) };
    const needs = [
      { bucket: this.#calls, perMinute: bucketPerMinute, amount: 1 },
      { bucket: this.#tokens, perMinute: tokensPerMinute, amount: call.tokens },
      { bucket: this.#output, perMinute: outputTokensPerMinute, amount: call.output },
    ];
    const waitSeconds = Math.max(
      ...needs.map(({ bucket, ...need }) =>
        bucket.waitSeconds(call.now, { ...need, bucketSeconds }),
      ),
    );
    if (waitSeconds > 0) return { status: 429, waitSeconds };
    for (const { bucket, amount } of needs) bucket.take(amount);
    return { status: this.#statusOf(call.now) };
  }

  /** Whether the flex tier has capacity for a call. */
  hasFlex(): boolean {
    const { shareWithoutFlex } = this.behaviour;
    return shareWithoutFlex === 0 || this.#random() >= shareWithoutFlex;
  }

  #isLimited(model: string): boolean {
    const { limitedModel } = this.behaviour;
    return limitedModel === null || limitedModel === model;
  }

  /** The headers of an answer. */
  statedLimits(model: string): Record<string, string> {
    const { statesLimits, bucketPerMinute, tokensPerMinute, bucketSeconds } = this.behaviour;
    const { outputTokensPerMinute, limitNames } = this.behaviour;
    if (!statesLimits || !this.#isLimited(model)) return {};
    return namedFor(limitNames, {
      ...this.#calls.stated('requests', { perMinute: bucketPerMinute, bucketSeconds }),
      ...this.#tokens.stated('tokens', { perMinute: tokensPerMinute, bucketSeconds }),
      ...this.#output.stated('output-tokens', { perMinute: outputTokensPerMinute, bucketSeconds }),
    });
  }

  #statusOf(now: number): number {
    const { status, share429, share500, shareFailing, limitPerSecond } = this.behaviour;
    if (status !== null) return status;
    if (limitPerSecond !== null && !this.#isAdmitted(now, limitPerSecond)) return 429;
    if (share429 + share500 + shareFailing === 0) return 200;
    const number = this.#random();
    if (number < share429) return 429;
    if (number < share429 + share500) return 500;
    return number < share429 + share500 + shareFailing
      ? (failures[this.#failed++ % failures.length] ?? 500)
      : 200;
  }

  #isAdmitted(now: number, limit: number): boolean {
    if (now - (this.#admitted[this.#next] ?? Number.NEGATIVE_INFINITY) < 1_000 || limit <= 0)
      return false;
    this.#admitted[this.#next] = now;
    this.#next = (this.#next + 1) % limit;
    return true;
  }
}

interface Filling {
  perMinute: number | null;
  bucketSeconds: number;
}

/** Fills evenly. */
class Bucket {
  #level = Number.POSITIVE_INFINITY;
  #at = 0;

  waitSeconds(now: number, { perMinute, bucketSeconds, amount }: Filling & { amount: number }) {
    if (perMinute === null) return 0;
    const perSecond = perMinute / 60;
    const most = Math.max(1, perSecond * bucketSeconds);
    this.#level = Math.min(most, this.#level + ((now - this.#at) / 1_000) * perSecond);
    this.#at = now;
    // A call of more tokens than the bucket holds would never be accepted.
    return Math.max(0, Math.min(amount, most) - this.#level) / perSecond;
  }

  take(amount: number): void {
    this.#level -= amount;
  }

  stated(name: string, { perMinute, bucketSeconds }: Filling): Record<string, string> {
    if (perMinute === null) return {};
    const most = Math.max(1, (perMinute * bucketSeconds) / 60);
    const milliseconds = Math.ceil(((most - this.#level) / perMinute) * 60_000);
    return {
      [`x-ratelimit-limit-${name}`]: `${Math.floor(most)}`,
      [`x-ratelimit-remaining-${name}`]: `${Math.max(0, Math.floor(this.#level))}`,
      [`x-ratelimit-reset-${name}`]: `${milliseconds}ms`,
    };
  }
}
