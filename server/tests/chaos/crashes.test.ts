import { expect, it } from 'vitest';
import { faultPoints } from '../../src/config/fault-point.ts';
import { concurrency, crashAt, poisonedRow } from './crash-points.ts';

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
    expect(report).toMatchObject({
      answered: rows - 1,
      failed: 1,
      charged: rows - 1,
      spent: rows - 1,
      brokenInvariants: [],
    });
    // From the fourth start on the product serves while the suspected rows wait for a calm time.
    expect(report.lastFailedStart).toBeLessThanOrEqual(3);
    expect(report.problems).toEqual([expect.stringContaining('crashed 3 times on this row')]);
  },
);
