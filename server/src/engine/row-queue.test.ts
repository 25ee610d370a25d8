import { expect, it } from 'vitest';
import { RowQueue } from './row-queue.ts';

it('serves the customers in turn', () => {
  const queue = new RowQueue<string>();
  for (const row of ['a1', 'a2', 'a3', 'a4']) queue.add('a', row);
  queue.add('b', 'b1');
  queue.add('c', 'c1');
  const served = Array.from({ length: 7 }, () => queue.next());
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4', undefined]);
  expect(queue.size).toBe(0);
});

it('gives back what is taken out, and keeps the rest in its order', () => {
  const queue = new RowQueue<string>();
  for (const row of ['a1', 'a2', 'a3']) queue.add('a', row);
  queue.add('b', 'b1');
  expect(queue.take((row) => row === 'a2' || row === 'b1')).toEqual(['a2', 'b1']);
  expect([queue.size, queue.next(), queue.next(), queue.next()]).toEqual([
    2,
    'a1',
    'a3',
    undefined,
  ]);
});
