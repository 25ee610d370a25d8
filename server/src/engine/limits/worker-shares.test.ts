import { describe, expect, it } from 'vitest';
import { type FoundLimit, WorkerShares } from './worker-shares.ts';

/** Workers on one clock, whose news arrive at once. */
function create() {
  let now = 0;
  const workers = new Set<WorkerShares>();
  const told: Parameters<WorkerShares['hear']>[0][] = [];
  const start = (worker: string, { slices = 1 } = {}) => {
    const state = {
      slices,
      share: 1,
      found: { rate: null, ceiling: null } as FoundLimit,
      adopted: [] as FoundLimit[],
    };
    const shares = new WorkerShares({
      worker,
      limiter: () => ({
        get found() {
          return state.found;
        },
        takeShare: (share) => {
          state.share = share;
        },
        adopt: (limit) => state.adopted.push(limit),
      }),
      now: () => now,
      countSlices: () => state.slices,
      tell: (news) => {
        told.push(news);
        for (const each of workers) each.hear(news);
      },
    });
    workers.add(shares);
    shares.look();
    return Object.assign(state, { shares });
  };
  /** Time in which all workers look, ten times a second. */
  const pass = (milliseconds: number) => {
    for (const until = now + milliseconds; now < until; now += 100)
      for (const each of workers) each.look();
  };
  return { start, pass, told, workers };
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

  it('keep their shares while no news arrive, not even their own', () => {
    const { start, pass, workers } = create();
    const [one] = [start('1'), start('2')];
    pass(100);
    workers.clear();
    for (let second = 0; second < 60; second++) {
      pass(1_000);
      one.shares.look();
    }
    expect(one.share).toBe(0.5);
  });

  it('hear of a rate when it is found or falls, not when it varies', () => {
    const { start, pass, told } = create();
    const [one, other] = [start('1'), start('2')];
    pass(200);
    const before = told.length;
    const rates = [100, 95, 110, 100, 80];
    for (const rate of rates) {
      one.found = { rate, ceiling: null };
      pass(100);
    }
    expect(told.slice(before).map(({ limit }) => limit.rate)).toEqual([100, 80]);
    expect(other.adopted.at(-1)).toEqual({ rate: 80, ceiling: null });
  });

  it('that start later hear what the others know', () => {
    const { start, pass } = create();
    const one = start('1');
    one.found = { rate: 50, ceiling: null };
    pass(1_000);
    const late = start('2');
    pass(100);
    expect(late.adopted.at(-1)).toEqual({ rate: 50, ceiling: null });
    expect(late.share).toBe(0.5);
  });
});
