import type { LaneSettings, ModelDirectory, PerMinute } from '../../domains/providers/port.ts';
import { CallsByPerson } from './calls-by-person.ts';
import { ConcurrencyLimiter, Slots } from './concurrency-limiter.ts';
import type { PooledCalls } from './pooled-calls.ts';

/** The public part of a class, which a test can replace. */
export type Public<T> = { [Key in keyof T]: T[Key] };

/** The calls that one limit counts: those of a provider key, or of one of its models. */
interface LimitedLane {
  /** The provider key, whose slots all its lanes share. */
  key: string;
  name: string;
  limiter: ConcurrencyLimiter;
}

/** What the workers share: the slots of a key, the pace of a lane, or both if they are one. */
export interface SharedLimits {
  readonly inFlight: number;
  readonly pool?: Pick<
    PooledCalls,
    'isShared' | 'takeUnpublished' | 'onCallsReceived' | 'setOthers'
  >;
  setShare(share: number): void;
}

/** The limiters of all lanes. Single prompts and previews share them with batches. */
export interface Limits {
  of(model: string): LimitedLane;
  /** The limiter of a lane that was called before. */
  find(lane: string): ConcurrencyLimiter | undefined;
  /** What is shared by the workers of a key or lane that was called before. */
  findShared(name: string): SharedLimits | undefined;
  /** For a lane that was not called: a cooldown from before the start or of another worker. */
  restoreCooldown(lane: string, until: number): void;
  /** Whatever was learned of the lanes of a key. */
  forget(key: string): void;
}

interface Parts {
  models: Pick<ModelDirectory, 'keyOf' | 'laneOf' | 'limitsOf'>;
  now(): number;
}

/** Slots and limiters are replaced when their limits change; the cooldowns stay. */
export function providerLimits({ models, now }: Parts): Limits {
  const keys = new Map<string, Slots>();
  const lanes = new Map<
    string,
    { slots: Slots; perMinute: PerMinute; limiter: ConcurrencyLimiter }
  >();
  const restored = new Map<string, number>();

  function slotsOf(key: string): Slots {
    const { concurrency } = models.limitsOf(key);
    const known = keys.get(key);
    if (known?.ceiling === concurrency) return known;
    const slots = new Slots(concurrency);
    keys.set(key, slots);
    return slots;
  }

  function limiterOf({ name, perMinute }: LaneSettings, slots: Slots): ConcurrencyLimiter {
    const known = lanes.get(name);
    if (known?.slots === slots && areEqual(known.perMinute, perMinute)) return known.limiter;
    const { requests_per_minute: requests, tokens_per_minute: tokens } = perMinute;
    const limiter = new ConcurrencyLimiter({ slots, now, perMinute: { requests, tokens } });
    limiter.startCooldown(known?.limiter.cooldownUntil ?? restored.get(name) ?? 0);
    lanes.set(name, { slots, perMinute, limiter });
    return limiter;
  }

  return {
    of(model) {
      const key = models.keyOf(model);
      const lane = models.laneOf(model);
      return { key, name: lane.name, limiter: limiterOf(lane, slotsOf(key)) };
    },
    find: (lane) => lanes.get(lane)?.limiter,
    findShared: (name) => sharedLimits(lanes.get(name)?.limiter, keys.get(name)),
    restoreCooldown: (lane, until) => restored.set(lane, until),
    forget(key) {
      for (const known of [lanes, restored])
        for (const name of known.keys())
          if (name === key || name.startsWith(`${key} `)) known.delete(name);
    },
  };
}

/** Of a lane, a key, or both. Undefined without either. */
export function sharedLimits(
  limiter: ConcurrencyLimiter | undefined,
  slots: Slots | undefined,
): SharedLimits | undefined {
  const either = limiter ?? slots;
  if (!either) return undefined;
  return {
    inFlight: either.inFlight,
    pool: limiter?.pool,
    setShare(share) {
      limiter?.setShare(share);
      slots?.setShare(share);
    },
  };
}

function areEqual(one: PerMinute, other: PerMinute): boolean {
  return (
    one.requests_per_minute === other.requests_per_minute &&
    one.tokens_per_minute === other.tokens_per_minute
  );
}

/** The calls that one limit counts. */
export interface Lane {
  readonly key: string;
  readonly name: string;
  readonly limiter: Public<ConcurrencyLimiter>;
  /** Of all lanes of the key. */
  readonly callsBy: Public<CallsByPerson>;
}

/** The lanes of an engine. A slow or refusing lane delays no batch of another. */
export class ProviderLanes {
  readonly #limits: Limits;
  readonly #lanes = new Map<string, Lane>();
  readonly #callsBy = new Map<string, CallsByPerson>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  of(model: string): Lane {
    const { key, name, limiter } = this.#limits.of(model);
    const known = this.#lanes.get(name);
    if (known?.limiter === limiter) return known;
    const callsBy = this.#callsBy.get(key) ?? new CallsByPerson();
    this.#callsBy.set(key, callsBy);
    const lane = { key, name, limiter, callsBy };
    this.#lanes.set(name, lane);
    return lane;
  }

  find(name: string): Lane | undefined {
    return this.#lanes.get(name);
  }

  /** All lanes that were called. */
  get all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }
}
