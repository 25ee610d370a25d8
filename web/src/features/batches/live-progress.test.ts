import type { Batch } from '@rowmill/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import { applyEvent, gatherEvents } from './live-progress.ts';

const batch = (id: string, changes: Partial<Batch> = {}): Batch => ({
  id,
  name: `${id}.csv`,
  sheet_id: 's',
  state: 'running',
  pause_reason: null,
  pause_detail: null,
  rows: 10,
  answered: 0,
  failed: 0,
  rows_per_minute: null,
  seconds_left: null,
  held: 10,
  charged: 0,
  question: 'q',
  model: 'm',
  outputs: [],
  columns: ['a'],
  actions: ['pause', 'stop', 'download'],
  started_by: null,
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  ended_at: null,
  receipt: null,
  ...changes,
});
const firstPage = ['batches', { search: '', state: null, start: 0 }];
const otherPage = ['batches', { search: 'z', state: null, start: 0 }];
const list = (...files: Batch[]) => ({ status: true, files, total: files.length });

let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(firstPage, list(batch('one'), batch('two')));
  client.setQueryData(otherPage, list(batch('three')));
});

const isOld = (key: unknown[]) => client.getQueryState(key)?.isInvalidated;

it('writes a batch to its page and to every list that holds it', () => {
  client.setQueryData(['batch', 'two'], batch('two'));
  const next = batch('two', { answered: 4 });
  applyEvent(client, { kind: 'batch', batch: next });
  expect(client.getQueryData(['batch', 'two'])).toEqual(next);
  expect(client.getQueryData(firstPage)).toEqual(list(batch('one'), next));
  expect(client.getQueryData(otherPage)).toEqual(list(batch('three')));
  expect(isOld(firstPage)).toBe(false);
});

it.each([
  ['is new', batch('four')],
  ['comes to another state', batch('two', { state: 'completed' })],
])('asks for the lists again when a batch %s', (_, next) => {
  client.setQueryData(['batch', 'two'], batch('two'));
  client.setQueryData(['rows', next.id, 'all', '', 0], { rows: [], total: 0 });
  applyEvent(client, { kind: 'batch', batch: next });
  expect([isOld(firstPage), isOld(otherPage), isOld(['rows', next.id, 'all', '', 0])]).toEqual([
    true,
    true,
    true,
  ]);
});

it('removes what was deleted', () => {
  client.setQueryData(['batch', 'two'], batch('two'));
  client.setQueryData(['rows', 'two', 'all', '', 0], { rows: [], total: 0 });
  applyEvent(client, { kind: 'batch_deleted', id: 'two' });
  expect(client.getQueryData(firstPage)).toEqual(list(batch('one')));
  expect(client.getQueryData(['batch', 'two'])).toBeUndefined();
  expect(client.getQueryData(['rows', 'two', 'all', '', 0])).toBeUndefined();
});

it('writes the balance where the header reads it, and asks again for what it may have missed', () => {
  applyEvent(client, { kind: 'credits', user_id: 'u', creditsAvailable: 7 });
  expect(client.getQueryData(['credits', 'u'])).toBe(7);
  expect(isOld(firstPage)).toBe(true);
});

it('keeps only the last word on each batch while it gathers', async () => {
  const told: string[] = [];
  await new Promise<void>((resolve) => {
    const write = gatherEvents((event) => {
      told.push(event.kind === 'batch' ? `${event.batch.id} ${event.batch.answered}` : event.kind);
      if (told.length === 3) resolve();
    });
    for (const answered of [1, 2, 3]) write({ kind: 'batch', batch: batch('one', { answered }) });
    write({ kind: 'batch', batch: batch('two') });
    write({ kind: 'credits', user_id: 'u', creditsAvailable: 1 });
  });
  expect(told).toEqual(['one 3', 'two 0', 'credits']);
});
