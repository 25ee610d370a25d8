import type { Review } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { describeMismatch, describeReceived, whyNotAccepted } from './review-words.ts';

const came = {
  amount_minor: 1199,
  currency: 'GBP',
  refunded_minor: 0,
  disputed_minor: 0,
  is_live: true,
};

it('says what differs, and that nothing does only of a payment that the provider knows', () => {
  const review = { differs: [], came, refused_at: null, give_back_problem: null };
  const words = (change: Partial<Review>) =>
    describeMismatch({ ...review, ...change } as unknown as Review);
  expect(words({})).toBe('None');
  expect(words({ differs: ['amount', 'paid twice'] })).toBe('amount, paid twice');
  expect(words({ came: null })).toBe('Not known');
  expect(words({ came: null, differs: ['buyer deleted'] })).toBe('buyer deleted');
});

it('says how much of a payment is refunded or disputed', () => {
  expect(describeReceived(came)).toBe('£11.99');
  expect(describeReceived({ ...came, refunded_minor: 200, disputed_minor: 999 })).toBe(
    '£11.99, £2.00 of it refunded, £9.99 of it disputed',
  );
});

it.each([
  ['paid twice', /paid by another payment/],
  ['buyer deleted', /deleted their account/],
  ['amount', /does not confirm/],
])('says why a payment cannot be accepted: %s', (differs, words) => {
  expect(whyNotAccepted({ differs: [differs] } as unknown as Review)).toMatch(words);
});
