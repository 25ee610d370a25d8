import { totalsOf } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import {
  addToCart,
  atPresentPrices,
  forgetSold,
  isSameSale,
  keepCart,
  leaveCartBehind,
  markOrdered,
  mostOfOne,
  reopenCart,
  withMore,
  withQuantity,
} from './cart.ts';
import { storage } from './storage.ts';

const kept = new Map<string, string>();
/** Node has no local storage; these are the parts of it that a cart needs. */
globalThis.localStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
} as unknown as Storage;

beforeEach(() => kept.clear());

const small = { id: 'small', name: 'Small', count: 100, rate_minor: 500 };
const large = { id: 'large', name: 'Large', count: 1000, rate_minor: 4000 };

it('gathers what is added of one pack in one line, in the order of the first choice', () => {
  const items = withMore(withMore(withMore([], small, 2), large, 1), small, 3);
  expect(items.map(({ id, quantity }) => [id, quantity])).toEqual([
    ['small', 5],
    ['large', 1],
  ]);
  expect(totalsOf(items)).toEqual({ qty: 1500, total: 6500 });
});

it('never holds more of a pack than an order takes', () => {
  expect(withMore(withMore([], small, mostOfOne), small, 1)[0]?.quantity).toBe(mostOfOne);
  expect(withQuantity(withMore([], small, 1), 'small', mostOfOne + 1)[0]?.quantity).toBe(mostOfOne);
});

it.each([
  [3, 3],
  [2.9, 2],
  [0, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
])('takes %d of a pack as %s', (asked, kept) => {
  expect(withQuantity(withMore([], small, 1), 'small', asked)[0]?.quantity).toBe(kept);
});

it('brings a kept sale to the present packs, and sees whether that changed it', () => {
  const sale = withMore(withMore([], small, 2), large, 1);
  const dearer = [{ ...small, rate_minor: 600 }];
  expect(isSameSale(sale, atPresentPrices(sale, [large, small]))).toBe(true);
  const present = atPresentPrices(sale, dearer);
  expect(isSameSale(sale, present)).toBe(false);
  expect(present).toEqual([{ id: 'small', quantity: 2, count: 100, rate: 600, name: 'Small' }]);
});

it('keeps a sale under the name of who buys, and begins anew for somebody else', () => {
  addToCart('clara', [{ pack: small, quantity: 2 }]);
  addToCart('clara', [{ pack: large, quantity: 1 }]);
  expect(storage.read('currentSale')).toMatchObject({
    customer: { user_id: 'clara' },
    type: 'credits',
  });
  expect(storage.read('currentSale')?.items).toHaveLength(2);
  addToCart('max', [{ pack: small, quantity: 1 }]);
  expect(storage.read('currentSale')).toMatchObject({
    customer: { user_id: 'max' },
    items: [{ id: 'small', quantity: 1 }],
  });
});

it('forgets a sale when its own order is paid, and no other sale', () => {
  addToCart('clara', [{ pack: small, quantity: 1 }]);
  markOrdered('first');
  forgetSold('another');
  expect(storage.read('currentSale')?.order_id).toBe('first');
  addToCart('clara', [{ pack: small, quantity: 1 }]);
  forgetSold('first');
  expect(storage.read('currentSale')?.items).toMatchObject([{ quantity: 2 }]);
  markOrdered('second');
  forgetSold('second');
  expect(storage.read('currentSale')).toBeNull();
});

it('gives a sale back from its order, to be changed', () => {
  addToCart('clara', [{ pack: small, quantity: 1 }]);
  markOrdered('first');
  reopenCart('first');
  expect(storage.read('currentSale')?.order_id).toBeUndefined();
  expect(storage.read('currentSale')?.items).toHaveLength(1);
});

it('leaves a sale behind that belongs to another customer, and keeps that of the person himself', () => {
  keepCart('the admin', withMore([], small, 2));
  leaveCartBehind('the admin');
  expect(storage.read('currentSale')?.items).toHaveLength(1);
  leaveCartBehind('the client');
  expect(storage.read('currentSale')).toBeNull();
});
