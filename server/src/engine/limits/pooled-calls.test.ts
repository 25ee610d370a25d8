import { describe, expect, it } from 'vitest';
import { type PooledCall, PooledCalls } from './pooled-calls.ts';

function create() {
  const state = { now: 10_000, hasLimit: false, weighed: [] as PooledCall[] };
  const pool = new PooledCalls({
    now: () => state.now,
    hasLimit: () => state.hasLimit,
    weigh: (call) => state.weighed.push(call),
  });
  const send = (inFlight: number, isRefused = false) =>
    pool.add({ sentAt: state.now, inFlight, isRefused });
  return Object.assign(state, { pool, send });
}

/** A worker that has been running beside another one. */
function createBeside(other: string) {
  const one = create();
  one.pool.keep(new Set([other]));
  one.send(1);
  one.now += 1_000;
  one.pool.take();
  one.weighed = [];
  return one;
}

describe('calls of one worker', () => {
  it('are weighed at once and not told', () => {
    const alone = create();
    alone.send(1);
    alone.send(2, true);
    expect(alone.weighed.map(({ inFlight }) => inFlight)).toEqual([1, 2]);
    expect([alone.pool.isShared, alone.pool.take()]).toEqual([false, []]);
  });
});

describe('calls of several workers', () => {
  it('are told from the first refusal on, until five seconds without any and without a limit', () => {
    const one = createBeside('other');
    one.send(1);
    expect([one.pool.isShared, one.pool.take()]).toEqual([false, []]);
    one.send(2, true);
    one.now += 40;
    one.send(2);
    expect(one.pool.take()).toEqual([
      [40, -2],
      [0, 2],
    ]);
    one.now += 5_000;
    expect(one.pool.isShared).toBe(false);
    one.hasLimit = true;
    expect(one.pool.isShared).toBe(true);
  });

  it('are weighed in the order in which they were sent, with the calls in flight of all', () => {
    const one = createBeside('other');
    one.pool.hear('other', [], 7);
    one.send(1, true);
    one.now += 10;
    one.send(1);
    one.now += 100;
    one.pool.hear(
      'other',
      [
        [105, 20],
        [90, -21],
      ],
      20,
    );
    expect(one.weighed).toEqual([]);
    one.now += 1_000;
    one.pool.take();
    expect(one.weighed).toEqual([
      { sentAt: 11_000, inFlight: 8, isRefused: true },
      { sentAt: 11_005, inFlight: 20, isRefused: false },
      { sentAt: 11_010, inFlight: 21, isRefused: false },
      { sentAt: 11_020, inFlight: 22, isRefused: true },
    ]);
  });

  it('that were sent first wait for those of the others', () => {
    const one = create();
    one.pool.keep(new Set());
    one.send(1);
    one.now += 200;
    one.pool.keep(new Set(['other']));
    one.pool.hear('other', [[205, 30]], 30);
    expect(one.weighed).toEqual([]);
    one.now += 1_000;
    one.pool.take();
    expect(one.weighed.map(({ inFlight }) => inFlight)).toEqual([30, 31]);
    one.send(2);
    expect(one.weighed.at(-1)?.inFlight).toBe(2);
  });

  it('count no worker that is gone', () => {
    const one = createBeside('other');
    one.pool.hear('other', [], 30);
    one.send(1, true);
    one.now += 1_000;
    one.pool.take();
    one.pool.keep(new Set(['third']));
    one.send(2);
    one.now += 1_000;
    one.pool.take();
    expect(one.weighed.map(({ inFlight }) => inFlight)).toEqual([31, 2]);
  });
});
