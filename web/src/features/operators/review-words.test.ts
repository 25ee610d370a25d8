import type { Review } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { describeMismatch } from './review-words.ts';

const came = { amount_minor: 1199, currency: 'GBP', refunded_minor: 0, is_live: true };

it('says what differs, and that nothing does only of a payment that the provider knows', () => {
  const review = { differs: [], came, refused_at: null, give_back_problem: null };
  const words = (change: Partial<Review>) =>
    describeMismatch({ ...review, ...change } as unknown as Review);
  expect(words({})).toBe('None');
  expect(words({ differs: ['amount', 'paid twice'] })).toBe('amount, paid twice');
  expect(words({ came: null })).toBe('Not known');
  expect(words({ came: null, differs: ['buyer deleted'] })).toBe('buyer deleted');
});
