import { describe, expect, it } from 'vitest';
import type { PaymentSnapshot } from './port.ts';
import {
  amountToRefund,
  awaitsRefund,
  canResume,
  findMismatch,
  isFullyRefunded,
  planDifferences,
  presentLine,
  priceCart,
  shareOf,
  summariseReversals,
  taxWithin,
} from './rules.ts';
import type { OrderRow } from './store/orders.ts';
import type { PaymentRow } from './store/payments.ts';

describe('taxWithin', () => {
  it.each([
    [600, 2000, 100],
    [1900, 2000, 317],
    [1, 2000, 0],
    [100, 0, 0],
    [99_999_999, 2500, 20_000_000],
  ])('finds the tax in a total of %i at %i basis points: %i', (total, basisPoints, tax) => {
    expect(taxWithin(total, basisPoints)).toBe(tax);
  });
});

describe('shareOf', () => {
  it.each([
    [500, 0, 600, 0],
    [500, 180, 600, 150],
    [500, 1, 600, 1],
    [500, 600, 600, 500],
    [0, 600, 600, 0],
    [9_007_199_254_740_991, 1, 3, 3_002_399_751_580_331],
  ])('of %i submissions, %i of %i minor units pay for %i', (submissions, part, total, share) => {
    expect(shareOf(submissions, part, total)).toBe(share);
  });
});

describe('summariseReversals', () => {
  type Reversal = Parameters<typeof summariseReversals>[0][number];
  const of = (kind: Reversal['kind']) => (state: Reversal['state'], amount_minor: number) => ({
    provider_ref: 'x',
    payment_id: 'x',
    kind,
    state,
    amount_minor,
  });
  const [refund, dispute] = [of('refund'), of('dispute')];

  it.each([
    ['no reversal', [], [0, 0, 'paid']],
    ['a partial refund', [refund('taken', 30)], [30, 30, 'paid']],
    [
      'refunds of the whole price, one still open',
      [refund('taken', 60), refund('open', 40)],
      [100, 100, 'refunded'],
    ],
    ['an open dispute', [dispute('open', 100)], [100, 0, 'disputed']],
    ['a lost dispute', [dispute('taken', 100)], [100, 100, 'refunded']],
    ['a dispute lost in part', [dispute('taken', 60)], [60, 60, 'paid']],
    [
      'a lost dispute beside an open one',
      [dispute('taken', 60), dispute('open', 40)],
      [100, 60, 'disputed'],
    ],
    ['a won dispute', [dispute('returned', 100)], [0, 0, 'paid']],
    ['more than the price', [refund('taken', 80), dispute('open', 100)], [100, 80, 'disputed']],
  ])('sums %s', (_case, reversals, [reversedMinor, refundedMinor, status]) => {
    const summary = { reversedMinor, refundedMinor, status };
    expect(summariseReversals(reversals, 100)).toEqual(summary);
  });
});

describe('presentLine', () => {
  it.each([
    [1, 600, 600],
    [3, 600, 1800],
  ])('adds up %i packs at %i minor units: %i', (quantity, rate_minor, total_minor) => {
    const line = { name: '500 submissions', quantity, count: 500, rate_minor };
    expect(presentLine({ order_id: 'o', position: 0, item_id: 'a', ...line })).toEqual({
      ...line,
      total_minor,
    });
  });
});

describe('planDifferences', () => {
  const plan = {
    name: 'Month',
    price_minor: 1900,
    currency: 'GBP',
    submissions: 2000,
    period_days: 30,
  };
  it.each([
    ['nothing', {}, []],
    ['the same terms', { price_minor: 1900, currency: 'GBP', submissions: 2000 }, []],
    ['another price', { price_minor: 1800 }, ['plan.price_minor']],
    ['another currency', { currency: 'EUR' }, ['plan.currency']],
    ['other terms', { submissions: 1, period_days: 31 }, ['plan.submissions', 'plan.period_days']],
  ])('of a browser that shows %s', (_case, shown, fields) => {
    expect(Object.keys(planDifferences({ id: 'month', ...shown }, plan))).toEqual(fields);
  });
});

describe('priceCart', () => {
  const packs = [{ id: 'a', name: 'A', count: 500, rate_minor: 600, currency: 'GBP' }];

  it('computes submissions and total with the formulas of the specification', () => {
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

  it('names each line that differs from our packs', () => {
    const { fields } = priceCart(
      [
        { id: 'b', quantity: 1 },
        { id: 'a', quantity: 1, rate: 1 },
        { id: 'a', quantity: 1, count: 1 },
        { id: 'a', quantity: 1, currency: 'EUR' },
      ],
      packs,
    );
    expect(Object.keys(fields)).toEqual([
      'items.0.id',
      'items.1.rate',
      'items.2.count',
      'items.3.currency',
    ]);
  });

  it('refuses more than one payment can take', () => {
    const { fields } = priceCart([{ id: 'a', quantity: 166_667 }], packs);
    expect(Object.keys(fields)).toEqual(['items']);
    const dearest = [{ id: 'a', name: 'A', count: 500, rate_minor: 99_999_999, currency: 'GBP' }];
    expect(priceCart([{ id: 'a', quantity: 1 }], dearest).fields).toEqual({});
  });
});

const matching: PaymentSnapshot = {
  ref: 'pi',
  merchant: null,
  clientSecret: null,
  approveUrl: null,
  state: 'paid',
  problem: null,
  orderId: 'order',
  userId: 'user',
  amountMinor: 600,
  currency: 'GBP',
  isLive: false,
  reversals: [],
};

describe('findMismatch', () => {
  const order = { id: 'order', user_id: 'user', total_minor: 600, currency: 'GBP' } as OrderRow;
  const payment = { merchant: null } as PaymentRow;

  it.each<[string, Partial<PaymentSnapshot>, string | null]>([
    ['a matching payment', {}, null],
    ['one minor unit less', { amountMinor: 599 }, 'amount'],
    ['another order', { orderId: 'other' }, 'order'],
    ['another buyer', { userId: null }, 'owner'],
    ['live money in test mode', { isLive: true }, 'mode'],
    ['another merchant', { merchant: 'other' }, 'merchant'],
    ['several differences', { amountMinor: 1, currency: 'EUR' }, 'amount, currency'],
  ])('compares %s', (_case, difference, mismatch) => {
    const snapshot = { ...matching, ...difference };
    expect(findMismatch({ order, payment, isLive: false }, snapshot)).toBe(mismatch);
  });
});

describe('the refund of a rejected payment', () => {
  const refund = (state: 'open' | 'taken' | 'returned', amountMinor: number) => ({
    ref: 'x',
    kind: 'refund' as const,
    state,
    amountMinor,
  });

  it.each<[string, Partial<PaymentSnapshot>, { left: number; isDone: boolean }]>([
    ['no refund yet', {}, { left: 600, isDone: false }],
    ['an open refund', { reversals: [refund('open', 600)] }, { left: 0, isDone: false }],
    ['a completed refund', { reversals: [refund('taken', 600)] }, { left: 0, isDone: true }],
    ['a partial refund', { reversals: [refund('taken', 200)] }, { left: 400, isDone: false }],
    ['a failed refund', { reversals: [refund('returned', 600)] }, { left: 600, isDone: false }],
    ['no money received', { state: 'failed' }, { left: 0, isDone: true }],
  ])('is planned after %s', (_case, change, { left, isDone }) => {
    const snapshot = { ...matching, ...change };
    expect(amountToRefund(snapshot)).toBe(left);
    expect(isFullyRefunded(snapshot)).toBe(isDone);
  });

  it.each([
    ['review', new Date(), true],
    ['review', null, false],
    ['refunded', new Date(), false],
  ] as const)('is due in state %s, refused at %o: %s', (payment_status, refused_at, isDue) => {
    expect(awaitsRefund({ payment_status, refused_at } as PaymentRow)).toBe(isDue);
  });
});

describe('canResume', () => {
  const created_at = new Date('2026-01-01T00:00:00Z');

  it.each([
    ['pending', '2026-01-07T23:59:59Z', true],
    ['failed', '2026-01-07T23:59:59Z', true],
    ['pending', '2026-01-08T00:00:00Z', false],
    ['paid', '2026-01-01T00:00:00Z', false],
    ['review', '2026-01-01T00:00:00Z', false],
  ] as const)(
    'of an order of 1 January that is %s, at %s: %s',
    (payment_status, now, isAllowed) => {
      const order = { payment_status, is_processing: false, created_at, replaced_by: null };
      expect(canResume(order, new Date(now))).toBe(isAllowed);
    },
  );

  it('is false while the provider checks the payment', () => {
    const order = { is_processing: true, created_at, replaced_by: null };
    expect(canResume({ ...order, payment_status: 'pending' }, created_at)).toBe(false);
    expect(canResume({ ...order, payment_status: 'failed' }, created_at)).toBe(true);
  });
});
