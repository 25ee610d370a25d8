import { getBatch, getOrders, getRows } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../memory-storage.ts';
import { storage } from '../storage.ts';
import { invalidate, queryClient, queryState, setQueryData } from './query.ts';

const rowPage = (id: string, start: number) => ({ id, start, limit: 100 });
const noRows = { status: true, rows: [], total: 0 };
const client = {
  role: 'Client',
  first_name: 'Bella',
  last_name: 'Crellin',
  phone: '',
  email: 'bella@example.test',
  profile_photo: null,
} as const;

beforeEach(() => {
  resetStorage();
  queryClient.clear();
});

it('keeps the answers of a call apart by the person they are for', () => {
  const noOrders = { status: true, orders: [], total: 0 };
  storage.write('switchedAs', { ...client, user_id: 'bella' });
  setQueryData(getOrders, {}, noOrders);
  expect(queryState(getOrders, {})?.data).toEqual(noOrders);
  storage.write('switchedAs', { ...client, user_id: 'max' });
  expect(queryState(getOrders, {})).toBeUndefined();
});

it('invalidates every answer whose request contains the given part', async () => {
  setQueryData(getRows, rowPage('a', 0), noRows);
  setQueryData(getRows, rowPage('a', 100), noRows);
  setQueryData(getRows, rowPage('b', 0), noRows);
  await invalidate(getRows, { id: 'a' });
  const pages = [rowPage('a', 0), rowPage('a', 100), rowPage('b', 0)];
  expect(pages.map((page) => queryState(getRows, page)?.isInvalidated)).toEqual([
    true,
    true,
    false,
  ]);
});

it('invalidates the answers of one call only', async () => {
  setQueryData(getRows, rowPage('a', 0), noRows);
  await invalidate(getBatch);
  expect(queryState(getRows, rowPage('a', 0))?.isInvalidated).toBe(false);
});
