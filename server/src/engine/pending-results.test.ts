import { describe, expect, it } from 'vitest';
import { PendingResults } from './pending-results.ts';

function pendingOf(...added: [string, number, number][]): PendingResults<number> {
  const pending = new PendingResults<number>();
  for (const [person, result, now] of added) pending.add(person, [result], now);
  return pending;
}

describe('the results of a person', () => {
  it('are due 5 ms after the first one, with those that arrive meanwhile', () => {
    const pending = pendingOf(['ann', 1, 1_000], ['ann', 2, 1_004]);
    expect(pending).toMatchObject({ dueAt: 1_005, count: 2 });
    expect(pending.take(1_004, 1_004)).toEqual([]);
    expect(pending.take(1_005, 1_005)).toEqual([1, 2]);
    expect(pending).toMatchObject({ dueAt: Number.POSITIVE_INFINITY, count: 0 });
  });

  it('are due 250 ms after the last ones were taken', () => {
    const pending = pendingOf(['ann', 1, 1_000]);
    pending.take(1_005, 1_010);
    pending.add('ann', [2], 1_020);
    expect(pending.dueAt).toBe(1_260);
    pending.take(1_260, 1_260);
    pending.add('ann', [3], 2_000);
    expect(pending.dueAt).toBe(2_005);
  });

  it('do not wait for those of another person, and do not take them along', () => {
    const pending = pendingOf(['ann', 1, 1_000]);
    pending.take(1_005, 1_005);
    pending.add('ann', [2], 1_010);
    pending.add('ben', [3], 1_020);
    expect(pending.dueAt).toBe(1_025);
    expect(pending.take(1_025, 1_025)).toEqual([3]);
    expect(pending).toMatchObject({ dueAt: 1_255, count: 1 });
  });

  it('are all taken when time is ignored', () => {
    const pending = pendingOf(['ann', 1, 1_000], ['ben', 2, 1_000]);
    expect(pending.take(Number.POSITIVE_INFINITY, 1_001)).toEqual([1, 2]);
  });
});
