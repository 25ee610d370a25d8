import { expect, it } from 'vitest';
import { RowQueue } from './row-queue.ts';

const of = (tenant: string, list = '') => ({ tenant, list });

it('serves tenants alternately', () => {
  const queue = new RowQueue<string>();
  for (const row of ['a1', 'a2', 'a3', 'a4']) queue.add(of('a'), row);
  queue.add(of('b'), 'b1');
  queue.add(of('c'), 'c1');
  const served = Array.from({ length: 7 }, () => queue.next());
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4', undefined]);
  expect(queue.size).toBe(0);
});

it('serves the lists of a tenant alternately, in one turn of the tenant', () => {
  const queue = new RowQueue<string>();
  for (const row of ['a1', 'a2', 'a3', 'a4']) queue.add(of('a', 'long'), row);
  queue.add(of('a', 'short'), 'a5');
  for (const row of ['b1', 'b2']) queue.add(of('b'), row);
  const served = Array.from({ length: 4 }, () => queue.next());
  expect(served).toEqual(['a1', 'b1', 'a5', 'b2']);
  expect(queue.next({ isBlocked: (row) => row === 'a2' })).toBe('a3');
  expect(queue.take((row) => row === 'a2')).toEqual(['a2']);
  expect([queue.next(), queue.next()]).toEqual(['a4', undefined]);
  expect(queue.size).toBe(0);
});

it('returns the rows it takes out and keeps the others in order', () => {
  const queue = new RowQueue<string>();
  for (const row of ['a1', 'a2', 'a3']) queue.add(of('a'), row);
  queue.add(of('b'), 'b1');
  expect(queue.take((row) => row === 'a2' || row === 'b1')).toEqual(['a2', 'b1']);
  expect(queue.size).toBe(2);
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['a1', 'a3', undefined]);
});

it('serves the tenant with the lowest load first, and none that is blocked', () => {
  const queue = new RowQueue<string>();
  for (const row of ['a1', 'a2']) queue.add(of('a'), row);
  for (const row of ['b1', 'b2']) queue.add(of('b'), row);
  queue.add(of('c'), 'c1');
  queue.add(of('d'), 'd1');
  const loads: Record<string, number> = { a: 3, b: 1, c: 0, d: Infinity };
  const choice = {
    isBlocked: (row: string) => row === 'c1',
    loadOf: (row: string) => loads[row[0] ?? ''] ?? 0,
  };
  const served = Array.from({ length: 5 }, () => queue.next(choice));
  expect(served).toEqual(['b1', 'b2', 'a1', 'a2', undefined]);
});
