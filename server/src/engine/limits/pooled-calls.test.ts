import { describe, expect, it } from 'vitest';
import { type PooledCall, PooledCalls } from './pooled-calls.ts';

function create() {
  const state = { now: 10_000, hasLimit: false, evaluated: [] as PooledCall[] };
  const pool = new PooledCalls({
    now: () => state.now,
    hasLimit: () => state.hasLimit,
    evaluate: (call) => state.evaluated.push(call),
  });
  const send = (inFlight: number, isRefused = false) =>
    pool.add({ sentAt: state.now, inFlight, isRefused });
  return Object.assign(state, { pool, send });
}

/** A worker that has been running beside the worker `other`. */
function createBesideOther() {
  const one = create();
  one.pool.setOthers(new Set(['other']));
  one.send(1);
  one.now += 1_000;
  one.pool.takeUnpublished();
  one.evaluated = [];
  return one;
}

describe('calls of one worker', () => {
  it('are evaluated at once and not published', () => {
    const one = create();
    one.send(1);
    one.send(2, true);
    expect(one.evaluated.map(({ inFlight }) => inFlight)).toEqual([1, 2]);
    expect([one.pool.isShared, one.pool.takeUnpublished()]).toEqual([false, []]);
  });
});

describe('calls of several workers', () => {
  it('are published from the first refusal on, until five seconds without any and without a limit', () => {
    const one = createBesideOther();
    one.send(1);
    expect([one.pool.isShared, one.pool.takeUnpublished()]).toEqual([false, []]);
    one.send(2, true);
    one.now += 40;
    one.send(2);
    expect(one.pool.takeUnpublished()).toEqual([
      [40, -2],
      [0, 2],
    ]);
    one.now += 5_000;
    expect(one.pool.isShared).toBe(false);
    one.hasLimit = true;
    expect(one.pool.isShared).toBe(true);
  });

  it('are evaluated in the order in which they were sent, with the calls in flight of all', () => {
    const one = createBesideOther();
    one.pool.onCallsReceived('other', [], 7);
    one.send(1, true);
    one.now += 10;
    one.send(1);
    one.now += 100;
    one.pool.onCallsReceived(
      'other',
      [
        [105, 20],
        [90, -21],
      ],
      20,
    );
    expect(one.evaluated).toEqual([]);
    one.now += 1_000;
    one.pool.takeUnpublished();
    expect(one.evaluated).toEqual([
      { sentAt: 11_000, inFlight: 8, isRefused: true },
      { sentAt: 11_005, inFlight: 20, isRefused: false },
      { sentAt: 11_010, inFlight: 21, isRefused: false },
      { sentAt: 11_020, inFlight: 22, isRefused: true },
    ]);
  });

  it('that were sent first wait for those of the others', () => {
    const one = create();
    one.pool.setOthers(new Set());
    one.send(1);
    one.now += 200;
    one.pool.setOthers(new Set(['other']));
    one.pool.onCallsReceived('other', [[205, 30]], 30);
    expect(one.evaluated).toEqual([]);
    one.now += 1_000;
    one.pool.takeUnpublished();
    expect(one.evaluated.map(({ inFlight }) => inFlight)).toEqual([30, 31]);
    one.send(2);
    expect(one.evaluated.at(-1)?.inFlight).toBe(2);
  });

  it('count no worker that is gone', () => {
    const one = createBesideOther();
    one.pool.onCallsReceived('other', [], 30);
    one.send(1, true);
    one.now += 1_000;
    one.pool.takeUnpublished();
    one.pool.setOthers(new Set(['third']));
    one.send(2);
    one.now += 1_000;
    one.pool.takeUnpublished();
    expect(one.evaluated.map(({ inFlight }) => inFlight)).toEqual([31, 2]);
  });
});
