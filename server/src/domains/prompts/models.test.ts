import { expect, it } from 'vitest';
import { minute } from '../../lib/clock.ts';
import { withModelCache } from './models.ts';

/** A cache with a provider that answers each list when the test resolves it. */
function cacheOf() {
  const lists: PromiseWithResolvers<{ id: string }[]>[] = [];
  let now = 0;
  const chat = {
    name: 'test',
    async ask() {
      return { kind: 'aborted' as const };
    },
    async close() {},
    listModels() {
      const list = Promise.withResolvers<{ id: string }[]>();
      lists.push(list);
      return list.promise;
    },
  };
  const cache = withModelCache(chat, { now: () => new Date(now) });
  return { cache, lists, wait: (milliseconds: number) => (now += milliseconds) };
}

it('asks the provider once for all who want the first list', async () => {
  const { cache, lists } = cacheOf();
  const both = Promise.all([cache.listModels(), cache.listModels()]);
  lists[0]?.resolve([{ id: 'one' }]);
  expect(await both).toEqual([[{ id: 'one' }], [{ id: 'one' }]]);
  expect(lists).toHaveLength(1);
});

/** A cache that is due, after a first list. */
async function dueCache(first: string) {
  const parts = cacheOf();
  const list = parts.cache.listModels();
  parts.lists[0]?.resolve([{ id: first }]);
  await list;
  parts.wait(5 * minute);
  return parts;
}

it('returns the old list until the new one has arrived', async () => {
  const { cache, lists } = await dueCache('old');
  expect(await cache.listModels()).toEqual([{ id: 'old' }]);
  lists[1]?.resolve([{ id: 'new' }]);
  await expect.poll(() => cache.listModels()).toEqual([{ id: 'new' }]);
  expect(lists).toHaveLength(2);
});

it('keeps the list and soon asks again when the provider does not answer', async () => {
  const { cache, lists, wait } = await dueCache('one');
  await cache.listModels();
  lists[1]?.resolve([]);
  // Until the empty list is noted, no other is asked for.
  await expect
    .poll(() => {
      wait(minute);
      return cache.listModels().then(() => lists.length);
    })
    .toBe(3);
  expect(await cache.listModels()).toEqual([{ id: 'one' }]);
});
