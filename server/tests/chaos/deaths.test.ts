import { expect, it } from 'vitest';
import { faultPoints } from '../../src/config/fault-point.ts';
import { deathsAtPoints, poisonedRow } from './crash-points.ts';

const isEmbedded = process.env.ROWMILL_TEST_DATABASE !== 'postgres';
const rows = 500;
/** Each starts the product several times, which takes its time where there is other work. */
const patience = { timeout: 600_000 };

it.runIf(isEmbedded).each(faultPoints)(
  'a death %s loses no row, charges none twice and asks none a third time',
  patience,
  async (point) => {
    const { [point]: report } = await deathsAtPoints({ rows, points: [point] });
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: rows,
      spent: rows,
      brokenInvariants: [],
    });
    expect(report?.callsOfARow).toBeLessThanOrEqual(2);
  },
);

it.runIf(isEmbedded)(
  'a row that kills the process again and again fails, uncharged, and the others are answered',
  patience,
  async () => {
    const report = await poisonedRow({ rows });
    expect(report).toMatchObject({
      answered: rows - 1,
      failed: 1,
      charged: rows - 1,
      spent: rows - 1,
      brokenInvariants: [],
    });
    expect(report.problems).toEqual([
      expect.stringContaining('broke down 3 times while it asked this row'),
    ]);
  },
);
