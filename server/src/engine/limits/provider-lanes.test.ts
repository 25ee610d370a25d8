import { describe, expect, it } from 'vitest';
import type { KeyLimits, PerMinute } from '../../domains/providers/port.ts';
import type { ChatOutcome } from '../port.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { ProviderLanes, providerLimits } from './provider-lanes.ts';

const answer: ChatOutcome = { kind: 'answered', text: 'yes' };
const perMinute = { requests_per_minute: null, tokens_per_minute: null };

/** Two models of one key with eight calls at once. */
function create(limits_per: KeyLimits['limits_per']) {
  let now = 0;
  const limits: KeyLimits = { ...perMinute, concurrency: 8, limits_per };
  const settings: { limits: KeyLimits; perMinute?: Partial<PerMinute> } = { limits };
  const all = providerLimits({
    models: {
      keyOf: () => 'key',
      laneOf: (model) => ({
        name: limits_per === 'model' ? `key ${model}` : 'key',
        perMinute: { ...perMinute, ...settings.perMinute },
      }),
      limitsOf: () => settings.limits,
    },
    now: () => now,
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { all, settings, pass };
}

/** Opens all slots of a lane. */
function begin(limiter: ConcurrencyLimiter): void {
  limiter.release(answer, limiter.acquire());
}

function fill(limiter: ConcurrencyLimiter): number {
  let calls = 0;
  for (; limiter.waitMilliseconds === 0; calls++) limiter.acquire();
  return calls;
}

/** Refuses every call until the limiter stops. */
function refuse({ limiter, pass }: { limiter: ConcurrencyLimiter; pass(ms: number): void }) {
  for (let calls = 0; limiter.waitMilliseconds === 0 && calls < 100; calls++) {
    const call = limiter.acquire();
    pass(10);
    limiter.release({ kind: 'try_later', retryAt: 60_000, reason: 'Wait.' }, call);
  }
}

describe('a key whose models have limits of their own', () => {
  it('stops only the model that reached its limit', () => {
    const { all, pass } = create('model');
    const [slow, fast] = [all.of('slow'), all.of('fast')];
    for (const { limiter } of [slow, fast]) begin(limiter);
    refuse({ limiter: slow.limiter, pass });
    expect(slow.limiter.waitMilliseconds).toBeGreaterThan(50_000);
    expect(fast.limiter.waitMilliseconds).toBe(0);
    expect([slow, fast].map(({ key, name }) => [key, name])).toEqual([
      ['key', 'key slow'],
      ['key', 'key fast'],
    ]);
  });

  it('has its slots once', () => {
    const { all } = create('model');
    const [one, other] = [all.of('one').limiter, all.of('other').limiter];
    for (const limiter of [one, other]) begin(limiter);
    one.acquire();
    expect(fill(other)).toBe(7);
    expect(one.waitMilliseconds).toBe(Infinity);
  });

  it('shares its slots by the key, and its pace by the model', () => {
    const { all } = create('model');
    const { limiter } = all.of('one');
    begin(limiter);
    all.findShared('key')?.setShare(0.5);
    all.findShared('key one')?.setShare(0.1);
    expect(fill(limiter)).toBe(4);
    expect(all.findShared('key')).toMatchObject({ inFlight: 4, pool: undefined });
    expect(all.findShared('key one')).toMatchObject({ inFlight: 4, pool: limiter.pool });
    expect(all.findShared('unknown')).toBeUndefined();
  });

  it('counts the calls of a person with all models', () => {
    const lanes = new ProviderLanes(create('model').all);
    lanes.of('one').callsBy.begin('ann');
    expect(lanes.of('other').callsBy.of('ann')).toBe(1);
  });
});

it('a key with one limit has one limiter for all models', () => {
  const { all } = create('key');
  expect(all.of('one')).toEqual(all.of('other'));
  begin(all.of('one').limiter);
  all.findShared('key')?.setShare(0.5);
  expect(fill(all.of('other').limiter)).toBe(4);
});

it('a cooldown outlasts a change of the limits and a restart', () => {
  const { all, settings } = create('key');
  all.restoreCooldown('key', 5_000);
  expect(all.of('one').limiter.waitMilliseconds).toBe(5_000);
  settings.limits = { ...settings.limits, concurrency: 9 };
  expect(all.of('one').limiter.waitMilliseconds).toBe(5_000);
  settings.perMinute = { requests_per_minute: 60 };
  expect(all.of('one').limiter.rate).toBe(1);
  expect(all.of('one').limiter.waitMilliseconds).toBe(5_000);
});
