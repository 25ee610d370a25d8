import { describe, expect, it } from 'vitest';
import type { PublishedCall } from './pooled-calls.ts';
import { WorkerShares } from './worker-shares.ts';

/** Workers on one clock, whose updates arrive at once. */
function create() {
  let now = 0;
  const workers = new Set<WorkerShares>();
  const published: Parameters<WorkerShares['onUpdate']>[0][] = [];
  const start = (worker: string, { slices = 1 } = {}) => {
    const state = {
      slices,
      share: 1,
      inFlight: 0,
      isShared: false,
      /** Own calls that were not published yet. */
      calls: [] as PublishedCall[],
      received: [] as PublishedCall[],
      others: new Set<string>() as ReadonlySet<string>,
    };
    const shares = new WorkerShares({
      worker,
      limiter: () => ({
        inFlight: state.inFlight,
        pool: {
          isShared: state.isShared,
          takeUnpublished: () => state.calls.splice(0),
          onCallsReceived: (_, calls) => state.received.push(...calls),
          setOthers: (workers) => {
            state.others = workers;
          },
        },
        setShare: (share) => {
          state.share = share;
        },
      }),
      now: () => now,
      countSlices: () => state.slices,
      publish: (update) => {
        published.push(update);
        for (const each of workers) each.onUpdate(update);
      },
    });
    workers.add(shares);
    shares.publishChanges();
    return Object.assign(state, { shares });
  };
  /** Time in which all workers publish, ten times a second. */
  const pass = (milliseconds: number) => {
    for (const until = now + milliseconds; now < until; now += 100)
      for (const each of workers) each.publishChanges();
  };
  return { start, pass, published, workers };
}

describe('workers of one key', () => {
  it('share its calls by their slices', () => {
    const { start, pass } = create();
    const [one, other, idle] = [
      start('1', { slices: 3 }),
      start('2', { slices: 1 }),
      start('3', { slices: 0 }),
    ];
    pass(100);
    expect([one.share, other.share, idle.share]).toEqual([0.75, 0.25, 0.2]);
    other.slices = 0;
    pass(200);
    expect(one.share).toBe(1);
  });

  it('get the share of one that ends at once, and of one that dies after 15 seconds', () => {
    const { start, pass, workers } = create();
    const [one, other, third] = [start('1'), start('2'), start('3')];
    pass(100);
    expect(one.share).toBeCloseTo(1 / 3);
    workers.delete(third.shares);
    third.shares.end();
    expect(one.share).toBe(0.5);
    workers.delete(other.shares);
    pass(14_000);
    expect(one.share).toBe(0.5);
    pass(8_000);
    expect(one.share).toBe(1);
  });

  it('keep their shares while no updates arrive, not even their own', () => {
    const { start, pass, workers } = create();
    const [one] = [start('1'), start('2')];
    pass(100);
    workers.clear();
    for (let second = 0; second < 60; second++) {
      pass(1_000);
      one.shares.publishChanges();
    }
    expect(one.share).toBe(0.5);
  });

  it('publish their calls, in pieces that fit into a notice, and nothing while there are none', () => {
    const { start, pass, published } = create();
    const [one, other] = [start('1'), start('2')];
    pass(200);
    const before = published.length;
    pass(1_000);
    expect(published).toHaveLength(before);
    const calls = Array.from({ length: 1_000 }, (_, call): PublishedCall => [call, 1]);
    one.calls = [...calls];
    pass(100);
    expect(published.slice(before).map((update) => update.calls.length)).toEqual([400, 400, 200]);
    expect(other.received).toEqual(calls);
    for (const update of published) expect(JSON.stringify(update).length).toBeLessThan(7_000);
  });

  it('publish that fewer calls are in flight while calls are shared', () => {
    const { start, pass, published } = create();
    const one = start('1');
    pass(200);
    Object.assign(one, { isShared: true, inFlight: 3 });
    pass(100);
    one.inFlight = 0;
    pass(500);
    expect(published.slice(-2).map(({ inFlight }) => inFlight)).toEqual([3, 0]);
  });

  it('that start later get their share, and count as others', () => {
    const { start, pass } = create();
    const one = start('1');
    pass(1_000);
    const late = start('2');
    pass(100);
    expect([one.share, late.share]).toEqual([0.5, 0.5]);
    expect([[...one.others], [...late.others]]).toEqual([['2'], ['1']]);
  });
});
