import { expect, it } from 'vitest';
import { faultPoints } from '../../src/config/fault-point.ts';
import { concurrency, crashAt, missesOfPoisonedRow, poisonedRow } from './crash-points.ts';

const rows = 500;
/** Each test starts the product several times, which is slow on a busy machine. */
const slow = { timeout: 600_000 };

it.each(faultPoints)(
  'a crash %s loses no row, charges none twice and repeats only the calls in flight',
  slow,
  async (point) => {
    const report = await crashAt(point, rows);
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: rows,
      spent: rows,
      brokenInvariants: [],
    });
    expect(report.mostCallsOfARow).toBeLessThanOrEqual(2);
    expect(report.repeatedCalls).toBeLessThanOrEqual(1.25 * concurrency);
  },
);

// Both wait for calm times, each with its own product.
it.concurrent.each([
  ['sent', 'poison'],
  ['read', 'unreadable'],
] as const)(
  'a row that crashes the process when it is %s fails uncharged, and the others are answered',
  slow,
  async (_, fault) => {
    const report = await poisonedRow({ rows, fault });
    expect(missesOfPoisonedRow(rows, report)).toEqual([]);
    // A report of a lost row must count as a failure.
    expect(missesOfPoisonedRow(rows, { ...report, answered: rows - 2 })).not.toEqual([]);
  },
);
