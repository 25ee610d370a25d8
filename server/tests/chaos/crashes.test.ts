import { expect, it } from 'vitest';
import { faultPoints } from '../../src/config/fault-point.ts';
import { crashAtPoints, poisonedRow } from './crash-points.ts';

const rows = 500;
/** Each test starts the product several times, which is slow on a busy machine. */
const slow = { timeout: 600_000 };

it.each(faultPoints)(
  'a crash %s loses no row, charges none twice and asks none a third time',
  slow,
  async (point) => {
    const { [point]: report } = await crashAtPoints({ rows, points: [point] });
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: rows,
      spent: rows,
      brokenInvariants: [],
    });
    expect(report?.mostCallsOfARow).toBeLessThanOrEqual(2);
  },
);

it(
  'a row that crashes the process every time fails uncharged, and the others are answered',
  slow,
  async () => {
    const report = await poisonedRow({ rows });
    expect(report).toMatchObject({
      answered: rows - 1,
      failed: 1,
      charged: rows - 1,
      spent: rows - 1,
      brokenInvariants: [],
    });
    expect(report.problems).toEqual([expect.stringContaining('crashed 3 times on this row')]);
  },
);
