import { expect, it } from 'vitest';
import { killTest } from './repeated-kills.ts';

const isEmbedded = process.env.ROWMILL_TEST_DATABASE !== 'postgres';

it.runIf(isEmbedded)(
  'a server that is killed three times loses no row of a batch, and charges none twice',
  async () => {
    const rows = 500;
    const report = await killTest({
      rows,
      kills: 3,
      concurrency: 16,
      lifeMilliseconds: 1_500,
      say: () => {},
    });
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: rows,
      spent: rows,
      brokenInvariants: [],
    });
    expect(report.leftAtLastKill).toBeGreaterThan(0);
    expect(report.repeatedCalls).toBeLessThanOrEqual(report.repeatedAtMost);
  },
);
