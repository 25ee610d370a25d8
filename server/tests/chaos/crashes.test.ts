import { expect, it } from 'vitest';
import { type FaultPoint, faultPoints } from '../../src/config/fault-point.ts';
import { concurrency, crashAtEach, missesOfPoisonedRow, poisonedRow } from './crash-points.ts';

const rows = 500;
/** Each test starts the product several times, which is slow on a busy machine. */
const slow = { timeout: 600_000 };

/**
 * Few in one batch: a slice that two killed processes held runs in small groups afterwards. The
 * second lease comes first, while both slices of the batch are open.
 */
const crashes: FaultPoint[][] = [
  ['after-lease', 'reading-slice', 'before-call'],
  ['after-reply', 'during-flush'],
  ['before-commit', 'after-commit'],
];

it('has crashes at every point of the life of a row', () => {
  expect(crashes.flat().toSorted()).toEqual(faultPoints.toSorted());
});

it.each(crashes.map((points) => ({ points, names: points.join(', ') })))(
  'crashes $names lose no row, charge none twice and repeat only the calls in flight',
  slow,
  async ({ points }) => {
    const report = await crashAtEach(points, rows);
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: rows,
      spent: rows,
      brokenInvariants: [],
    });
    expect(report.mostCallsOfARow).toBeLessThanOrEqual(1 + points.length);
    expect(report.repeatedCalls).toBeLessThanOrEqual(1.25 * concurrency * points.length);
  },
);

it(
  'a row that crashes the process when it is sent fails uncharged, and the others are answered',
  slow,
  async () => {
    const report = await poisonedRow({ rows });
    expect(missesOfPoisonedRow(rows, report)).toEqual([]);
    // A report of a lost row must count as a failure.
    expect(missesOfPoisonedRow(rows, { ...report, answered: rows - 2 })).not.toEqual([]);
  },
);
