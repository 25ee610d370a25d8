import { expect, it } from 'vitest';
import { concurrency, economyPrice, killEconomy } from './economy-kills.ts';
import { killDuringEvent } from './job-kills.ts';
import { killRepeatedly, missesOf } from './repeated-kills.ts';

/** Starts the product several times, which is slow on a busy machine. */
const slow = { timeout: 600_000 };

it.concurrent(
  'a server that is killed loses no row of a batch and charges each by its size, once',
  slow,
  async () => {
    const rows = 500;
    const report = await killRepeatedly({ rows, kills: 1, concurrency: 16, priceTokens: 5 });
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: report.sizes,
      spent: report.sizes,
      brokenInvariants: [],
    });
    expect(report.sizes).toBeGreaterThan(rows);
    expect(missesOf(report)).toEqual([]);
    expect(report.openRowsAtLastKill).toBeGreaterThan(0);
    // A report with these figures must count as a failure.
    const tokens = report.tokens - 1;
    const tokensOfCalls = report.tokensOfCalls - 1;
    expect(missesOf({ ...report, tokens, tokensOfCalls, costPerToken: 0.5 })).toEqual([
      'the batch has the tokens of one call of each row',
      'the batch has the cost of its tokens',
    ]);
  },
);

it.concurrent(
  'a batch with a deadline keeps its price, deadline and rows when it is killed, also while it waits for capacity',
  slow,
  async () => {
    const rows = 200;
    const report = await killEconomy(rows);
    expect(report).toMatchObject({
      answered: rows,
      failed: 0,
      charged: rows * economyPrice,
      spent: rows * economyPrice,
      prices: [economyPrice, economyPrice],
      hasDeadline: true,
      endedInTime: true,
      pauseReason: 'no_capacity',
      brokenInvariants: [],
    });
    expect(report.flex).toBeGreaterThan(0);
    expect(report.normal).toBeGreaterThan(0);
    expect(report.withoutCapacity).toBeGreaterThanOrEqual(10);
    expect(report.repeatedAnswers).toBeLessThanOrEqual(1.25 * concurrency);
  },
);

it.concurrent('a payment whose webhook is being processed by a killed server is credited once by the next', async () => {
  expect(await killDuringEvent()).toEqual({
    webhook: [200],
    credited: [500],
    brokenInvariants: [],
  });
});
