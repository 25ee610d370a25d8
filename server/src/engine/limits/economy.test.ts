import { describe, expect, it } from 'vitest';
import { hour, minute } from '../../lib/clock.ts';
import { Economy } from './economy.ts';

const model = 'fake';
const batch = { batchId: 'batch', model };
const answered = { kind: 'answered', text: '' } as const;
const work = {
  now: 0,
  finishBy: 4 * hour,
  rowsAhead: 100,
  callsAtOnce: 10,
  callsPerSecond: Infinity,
};

describe('the flex tier is used while the normal tier would finish in time', () => {
  it.each([
    ['much time', {}, true],
    ['a quarter of an hour', { finishBy: 15 * minute }, false],
    ['time for the rest, and no margin', { rowsAhead: 14_400 }, false],
    ['half of the time for the rest', { rowsAhead: 6_600 }, true],
    ['one call at once', { rowsAhead: 1_000, callsAtOnce: 1 }, false],
    ['a limit that is enough', { callsPerSecond: 1 / 60 }, true],
    ['a limit that is too low', { rowsAhead: 120, callsPerSecond: 1 / 60 }, false],
    ['a deadline that is over', { now: 5 * hour }, false],
  ])('with %s', (_what, more, may) => {
    const economy = new Economy();
    economy.note(answered, batch, 10_000);
    expect(economy.maySendFlex(model, { ...work, ...more })).toBe(may);
  });

  it('by how long answers take', () => {
    const economy = new Economy();
    const many = { ...work, rowsAhead: 5_000 };
    expect(economy.maySendFlex(model, many)).toBe(true);
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
