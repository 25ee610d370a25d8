import { expect, it } from 'vitest';
import { killRepeatedly } from './repeated-kills.ts';

/** Starts the product five times, which is slow on a busy machine. */
const slow = { timeout: 600_000 };

it(
  'a server that is killed three times loses no row of a batch and charges each by its size, once',
  slow,
  async () => {
    const rows = 500;
    const report = await killRepeatedly({
      rows,
      kills: 3,
      concurrency: 16,
      lifeMilliseconds: 1_500,
      priceTokens: 5,
    });
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: report.sizes,
      spent: report.sizes,
      brokenInvariants: [],
    });
    expect(report.sizes).toBeGreaterThan(rows);
    expect(report.tokens).toBe(report.tokensOfProvider);
    expect(report.openRowsAtLastKill).toBeGreaterThan(0);
    expect(report.repeatedCalls).toBeLessThanOrEqual(report.repeatedAtMost);
  },
);
