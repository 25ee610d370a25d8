import type { KeyLimits } from '../../domains/providers/port.ts';
import { CallsByPerson } from './calls-by-person.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

/** The public part of a class, which a test can replace. */
export type Public<T> = { [Key in keyof T]: T[Key] };

/** The limiters of provider keys. Single prompts and previews share them with batches. */
export interface Limits {
  /** The limiter of a model's provider, and the key it belongs to. */
  of(model: string): { key: string; limiter: ConcurrencyLimiter };
  /** The limiter of a provider that was called before. */
  find(key: string): ConcurrencyLimiter | undefined;
}

interface Providers {
  keyOf(model: string): string;
  limitsOf(key: string): KeyLimits;
  now(): number;
}

/** A limiter for each provider key, replaced when its limits change; the cooldown stays. */
export function providerLimits({ keyOf, limitsOf, now }: Providers): Limits {
  const limiters = new Map<string, { limits: KeyLimits; limiter: ConcurrencyLimiter }>();
  function limiterOf(key: string): ConcurrencyLimiter {
    const limits = limitsOf(key);
    const known = limiters.get(key);
    if (known && areEqual(known.limits, limits)) return known.limiter;
    const limiter = new ConcurrencyLimiter({
      maxInFlight: limits.concurrency,
      now,
      perMinute: { requests: limits.requests_per_minute, tokens: limits.tokens_per_minute },
    });
    if (known) limiter.startCooldown(known.limiter.cooldownUntil);
    limiters.set(key, { limits, limiter });
    return limiter;
  }
  return {
    of(model) {
      const key = keyOf(model);
      return { key, limiter: limiterOf(key) };
    },
    find: (key) => limiters.get(key)?.limiter,
  };
}

function areEqual(one: KeyLimits, other: KeyLimits): boolean {
  if (one === other) return true;
  return (
    one.concurrency === other.concurrency &&
    one.requests_per_minute === other.requests_per_minute &&
    one.tokens_per_minute === other.tokens_per_minute
  );
}

/** What the calls of one provider key share. */
export interface Lane {
  readonly key: string;
  readonly limiter: Public<ConcurrencyLimiter>;
  readonly callsBy: Public<CallsByPerson>;
}

/** The lanes of an engine. A slow or refusing provider delays no batch of another. */
export class ProviderLanes {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, Lane>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  of(model: string): Lane {
    const { key, limiter } = this.#limits.of(model);
    const known = this.#lanes.get(key);
    if (known?.limiter === limiter) return known;
    const lane = { key, limiter, callsBy: known?.callsBy ?? new CallsByPerson() };
    this.#lanes.set(key, lane);
    return lane;
  }

  find(key: string): Lane | undefined {
    return this.#lanes.get(key);
  }

  /** The lanes of all providers that were called. */
  get all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }
}
