import { getBatch, getOrders, getRows } from '@rowmill/contract';
import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { storage } from '../storage.ts';
import {
  invalidate,
  mayRetry,
  queryClient,
  queryOf,
  queryState,
  retryDelay,
  setQueryData,
} from './query.ts';
import { Refusal } from './refusal.ts';

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

it('asks again for a first answer that was on its way when something changed', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey: queryOf(getOrders, {}).queryKey,
    queryFn: () => answers[asked++]?.promise ?? 'too many',
  });
  const stop = observer.subscribe(() => {});
  const invalidated = invalidate(getOrders);
  await Promise.resolve();
  answers[0]?.resolve('before the change');
  answers[1]?.resolve('after it');
  await invalidated;
  expect(observer.getCurrentResult().data).toBe('after it');
  expect(asked).toBe(2);
  stop();
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

describe('a failed query', () => {
  const refusal = (status: number, wait: number | null) => {
    const message = 'Refused.';
    const body = { status: false, code: 'too_many_requests', message, request_id: 'r' } as const;
    return new Refusal(status, body, wait);
  };

  it.each([
    ['out of reach, first', 0, new Error('out of reach'), true],
    ['out of reach, third', 2, new Error('out of reach'), false],
    ['all places taken', 0, refusal(429, 2), true],
    ['all places taken, third', 2, refusal(429, 2), false],
    ['a rate limit of minutes', 0, refusal(429, 600), false],
    ['any other refusal', 0, refusal(422, null), false],
  ])('is repeated or shown: %s', (_what, count, error, isRepeated) => {
    expect(mayRetry(count, error)).toBe(isRepeated);
  });

  it('waits as long as the server says', () => {
    expect(retryDelay(1, refusal(429, 5))).toBe(5_000);
    expect(retryDelay(1, new Error('out of reach'))).toBe(2_000);
  });

  it('says without a pause that it waits for the connection', () => {
    onlineManager.setOnline(false);
    expect(retryDelay(1, new Error('out of reach'))).toBe(0);
    onlineManager.setOnline(true);
  });
});
