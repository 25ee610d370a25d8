import { maximumQuantity, totalsOf } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { storage } from '../../lib/storage.ts';
import {
  addToCart,
  atCurrentPrices,
  isSameCart,
  markOrdered,
  removePaidCart,
  reopenCart,
  withMore,
  withQuantity,
} from './cart.ts';

beforeEach(resetStorage);

const small = { id: 'small', name: 'Small', count: 100, rate_minor: 500 };
const large = { id: 'large', name: 'Large', count: 1000, rate_minor: 4000 };

it('adds packs of one kind to one line and keeps the order in which kinds were added', () => {
  const items = withMore(withMore(withMore([], small, 2), large, 1), small, 3);
  expect(items.map(({ id, quantity }) => [id, quantity])).toEqual([
    ['small', 5],
    ['large', 1],
  ]);
  expect(totalsOf(items)).toEqual({ qty: 1500, total: 6500 });
});

it('limits the quantity of a pack to what an order takes', () => {
  expect(withMore(withMore([], small, maximumQuantity), small, 1)[0]?.quantity).toBe(
    maximumQuantity,
  );
  expect(withQuantity(withMore([], small, 1), 'small', maximumQuantity + 1)[0]?.quantity).toBe(
    maximumQuantity,
  );
});

it.each([
  [3, 3],
  [2.9, 2],
  [0, undefined],
  [-1, undefined],
  [Number.NaN, undefined],
])('sets a quantity of %d to %s', (asked, kept) => {
  expect(withQuantity(withMore([], small, 1), 'small', asked)[0]?.quantity).toBe(kept);
});

it('updates a stored cart to current packs and notices changed prices', () => {
  const sale = withMore(withMore([], small, 2), large, 1);
  const raised = [{ ...small, rate_minor: 600 }];
  expect(isSameCart(sale, atCurrentPrices(sale, [large, small]))).toBe(true);
  const present = atCurrentPrices(sale, raised);
  expect(isSameCart(sale, present)).toBe(false);
  expect(present).toEqual([{ id: 'small', quantity: 2, count: 100, rate: 600, name: 'Small' }]);
});

it('stores the cart with its customer and starts an empty one for another customer', () => {
  addToCart('clara', [{ pack: small, quantity: 2 }]);
  addToCart('clara', [{ pack: large, quantity: 1 }]);
  expect(storage.read('currentSale')).toMatchObject({
    customer: { user_id: 'clara' },
    type: 'credits',
  });
  expect(storage.read('currentSale')?.items).toEqual([
    { id: 'small', name: 'Small', quantity: 2, count: 100, rate: 500 },
    { id: 'large', name: 'Large', quantity: 1, count: 1000, rate: 4000 },
  ]);
  addToCart('max', [{ pack: small, quantity: 1 }]);
  expect(storage.read('currentSale')).toMatchObject({
    customer: { user_id: 'max' },
    items: [{ id: 'small', quantity: 1 }],
  });
});

it('removes the cart when its own order is paid, and keeps it when another order is', () => {
  addToCart('clara', [{ pack: small, quantity: 1 }]);
  markOrdered('first');
  removePaidCart('another');
  expect(storage.read('currentSale')?.order_id).toBe('first');
  addToCart('clara', [{ pack: small, quantity: 1 }]);
  removePaidCart('first');
  expect(storage.read('currentSale')?.items).toMatchObject([{ quantity: 2 }]);
  markOrdered('second');
  removePaidCart('second');
  expect(storage.read('currentSale')).toBeNull();
});

it('detaches a reopened cart from its order', () => {
  addToCart('clara', [{ pack: small, quantity: 1 }]);
  markOrdered('first');
  reopenCart('first');
  expect(storage.read('currentSale')?.order_id).toBeUndefined();
  expect(storage.read('currentSale')?.items).toHaveLength(1);
});
