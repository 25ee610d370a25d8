import { describe, expect, it } from 'vitest';
import { hour, minute } from '../../lib/clock.ts';
import { Economy } from './economy.ts';

const model = 'fake';
const batch = { batchId: 'batch', model };
const answered = { kind: 'answered', text: '' } as const;
const rows = (ofLane: number, ofKey = ofLane, triedMilliseconds: number | null = null) => ({
  rowsAhead: { ofKey, ofLane, triedMilliseconds },
});
const limits = (limit: object) => ({ limits: { atOnce: Infinity, rate: Infinity, ...limit } });
const work = { now: 0, finishBy: 4 * hour, ...rows(100), callsAtOnce: 10, ...limits({}) };

describe('the flex tier is used while the normal tier would finish in time', () => {
  it.each([
    ['much time', {}, true],
    ['a quarter of an hour', { finishBy: 15 * minute }, false],
    ['time for the rest, and no margin', rows(14_400), false],
    ['half of the time for the rest', rows(6_600), true],
    ['one call at once', { ...rows(1_000), callsAtOnce: 1 }, false],
    ['many rows of other lanes', rows(100, 14_400), false],
    ['one call at once in its lane', { ...rows(1_000), ...limits({ atOnce: 1 }) }, false],
    ['a limit that is enough', limits({ rate: 1 / 60 }), true],
    ['a limit that is too low', { ...rows(120), ...limits({ rate: 1 / 60 }) }, false],
    ['the limit of another lane', { ...rows(100, 120), ...limits({ rate: 1 / 60 }) }, true],
    ['a deadline that is over', { now: 5 * hour }, false],
  ])('with %s', (_what, more, may) => {
    const economy = new Economy();
    economy.note(answered, batch, 10_000);
    expect(economy.maySendFlex(model, { ...work, ...more })).toBe(may);
  });

  it('by how long answers take', () => {
    const economy = new Economy();
    const many = { ...work, ...rows(5_000) };
    expect(economy.maySendFlex(model, many)).toBe(true);
    const tried = { ...work, ...rows(5_000, 5_000, 60_000) };
    expect(economy.maySendFlex(model, tried)).toBe(false);
    for (let answer = 0; answer < 100; answer++) economy.note(answered, batch, 60_000);
    expect(economy.maySendFlex(model, many)).toBe(false);
  });
});

describe('a batch waits for capacity', () => {
  const refused = { kind: 'no_capacity', reason: '' } as const;
  const times = (economy: Economy, count: number) =>
    Array.from({ length: count }, () => economy.note(refused, batch, 10)).at(-1);

  it('after ten refusals in a row', () => {
    const economy = new Economy();
    expect(times(economy, 9)).toBe(false);
    expect(economy.note(refused, { batchId: 'other', model }, 10)).toBe(false);
    expect(times(economy, 1)).toBe(true);
    expect(times(economy, 9)).toBe(false);
  });

  it('not while rows are answered between them', () => {
    const economy = new Economy();
    times(economy, 9);
    expect(economy.note(answered, batch, 10_000)).toBe(false);
    expect(times(economy, 9)).toBe(false);
  });
});
