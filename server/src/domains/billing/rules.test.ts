import { describe, expect, it } from 'vitest';
import { judgeReversals, priceCart, shareOf, taxWithin } from './rules.ts';

describe('tax', () => {
  it.each([
    [600, 2000, 100],
    [1900, 2000, 317],
    [1, 2000, 0],
    [100, 0, 0],
    [99_999_999, 2500, 20_000_000],
  ])('within %i at %i basis points is %i', (total, basisPoints, tax) => {
    expect(taxWithin(total, basisPoints)).toBe(tax);
  });
});

describe('the share of submissions that goes back', () => {
  it.each([
    [500, 0, 600, 0],
    [500, 180, 600, 150],
    [500, 1, 600, 1],
    [500, 600, 600, 500],
    [0, 600, 600, 0],
    [9_007_199_254_740_991, 1, 3, 3_002_399_751_580_331],
  ])('of %i for %i of %i is %i', (submissions, part, total, share) => {
    expect(shareOf(submissions, part, total)).toBe(share);
  });
});

describe('what is reversed', () => {
  const reversal = (
    kind: 'refund' | 'dispute',
    state: 'open' | 'taken' | 'returned',
    amount_minor: number,
  ) => ({
    ...{ provider_ref: 'x', payment_id: 'x', kind, state, amount_minor },
  });

  it.each([
    ['nothing', [], { reversedMinor: 0, refundedMinor: 0, status: 'paid' }],
    [
      'a part',
      [reversal('refund', 'taken', 30)],
      { reversedMinor: 30, refundedMinor: 30, status: 'paid' },
    ],
    [
      'all',
      [reversal('refund', 'taken', 60), reversal('refund', 'open', 40)],
      { reversedMinor: 100, refundedMinor: 100, status: 'refunded' },
    ],
    [
      'an open dispute',
      [reversal('dispute', 'open', 100)],
      { reversedMinor: 100, refundedMinor: 0, status: 'disputed' },
    ],
    [
      'a lost one',
      [reversal('dispute', 'taken', 100)],
      { reversedMinor: 100, refundedMinor: 100, status: 'disputed' },
    ],
    [
      'a won one',
      [reversal('dispute', 'returned', 100)],
      { reversedMinor: 0, refundedMinor: 0, status: 'paid' },
    ],
    [
      'more than all',
      [reversal('refund', 'taken', 80), reversal('dispute', 'open', 100)],
      { reversedMinor: 100, refundedMinor: 80, status: 'disputed' },
    ],
  ])('is counted together: %s', (_what, reversals, judged) => {
    expect(judgeReversals(reversals, 100)).toEqual(judged);
  });
});

describe('a cart', () => {
  const packs = [{ id: 'a', name: 'A', count: 500, rate_minor: 600, currency: 'GBP' }];

  it('is priced by us, by the spec’s two formulas', () => {
    const { submissions, totalMinor, fields } = priceCart(
      [
        { id: 'a', quantity: 3 },
        { id: 'a', quantity: 1, count: 500, rate: 600 },
      ],
      packs,
    );
    expect({ submissions, totalMinor, fields }).toEqual({
      submissions: 2000,
      totalMinor: 2400,
      fields: {},
    });
  });

  it('names each line that does not fit', () => {
    const { fields } = priceCart(
      [
        { id: 'b', quantity: 1 },
        { id: 'a', quantity: 1, rate: 1 },
        { id: 'a', quantity: 1, count: 1 },
      ],
      packs,
    );
    expect(Object.keys(fields)).toEqual(['items.0.id', 'items.1.rate', 'items.2.count']);
  });
});
