import {
  answerMarks,
  askChatGpt,
  type Batch,
  getAvailableCredits,
  getBatch,
  getNotifications,
  getProcessedFiles,
  getRows,
  getUsage,
  getUserPlan,
  userList,
} from '@rowmill/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { queryClient, queryState, setQueryData } from '../../lib/api/query.ts';
import { whileSaving } from './judged-elsewhere.ts';
import { applyEvent, throttleEvents } from './live-progress.ts';
import { showJudged } from './rows/save-judgements.tsx';

const marksNone = Object.fromEntries(answerMarks.map((mark) => [mark, 0])) as Batch['mark_counts'];
const batch = (id: string, changes: Partial<Batch> = {}): Batch => ({
  id,
  user_id: 'u',
  name: `${id}.csv`,
  sheet_id: 's',
  state: 'running',
  pause_reason: null,
  pause_detail: null,
  rows: 10,
  answered: 0,
  failed: 0,
  skipped: 0,
  marked: 0,
  mark_counts: marksNone,
  rows_per_minute: null,
  covered: null,
  seconds_left: null,
  held: 10,
  needed: 0,
  charged: 0,
  question: 'q',
  model: 'm',
  system: null,
  temperature: null,
  max_tokens: null,
  top_p: null,
  price: 1,
  price_by_size: null,
  stop: null,
  seed: null,
  reasoning_effort: null,
  outputs: [],
  columns: ['a'],
  actions: ['pause', 'stop', 'download'],
  started_by: null,
  sheet_format: 'delimited',
  file_changes: null,
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  ended_at: null,
  run_seconds: null,
  receipt: null,
  tokens: null,
  estimate: null,
  finish_by: null,
  judged: { right: 0, wrong: 0, later: 0 },
  judgement_version: 0,
  ...changes,
});
const firstPage = { search: '', start: 0 };
const otherPage = { search: 'z', start: 0 };
const rowPage = (id: string) => ({ id, filter: 'all', search: '', start: 0 }) as const;
const counts = { ready: 0, running: 0, paused: 0, stopped: 0, completed: 0 };
const list = (...files: Batch[]) => ({ status: true, files, total: files.length, counts });
const stored = (of: Batch) => ({ status: true, batch: of });
const noRows = { status: true, rows: [], total: 0 };

beforeEach(() => {
  vi.useRealTimers();
  resetStorage();
  queryClient.clear();
  setQueryData(getProcessedFiles, firstPage, list(batch('one'), batch('two')));
  setQueryData(getProcessedFiles, otherPage, list(batch('three')));
});

it('writes a batch to its page and to every list that holds it', () => {
  setQueryData(getBatch, { id: 'two' }, stored(batch('two')));
  const next = batch('two', { answered: 4 });
  applyEvent({ kind: 'batch', batch: next });
  expect(queryState(getBatch, { id: 'two' })?.data).toEqual(stored(next));
  expect(queryState(getProcessedFiles, firstPage)?.data).toEqual(list(batch('one'), next));
  expect(queryState(getProcessedFiles, otherPage)?.data).toEqual(list(batch('three')));
  expect(queryState(getProcessedFiles, firstPage)?.isInvalidated).toBe(false);
});

it.each([
  ['is new', batch('four')],
  ['enters another state', batch('two', { state: 'completed' })],
])('fetches the lists again when a batch %s', (_, next) => {
  setQueryData(getBatch, { id: 'two' }, stored(batch('two')));
  setQueryData(getRows, rowPage(next.id), noRows);
  applyEvent({ kind: 'batch', batch: next });
  expect([
    queryState(getProcessedFiles, firstPage)?.isInvalidated,
    queryState(getProcessedFiles, otherPage)?.isInvalidated,
    queryState(getRows, rowPage(next.id))?.isInvalidated,
  ]).toEqual([true, true, true]);
});

it.each([
  ['stopped changing', 'completed', true],
  ['are polled', 'running', false],
] as const)('fetches rows and figures of a known state that %s: %s', (_, state, isFetched) => {
  setQueryData(getBatch, { id: 'two' }, stored(batch('two', { state })));
  setQueryData(getRows, rowPage('two'), noRows);
  const days = { days: [] };
  setQueryData(getUsage, days, { status: true, charged: [], answered: 0, failed: 0 });
  applyEvent({ kind: 'batch', batch: batch('two', { state }) });
  expect(queryState(getRows, rowPage('two'))?.isInvalidated).toBe(isFetched);
  expect(queryState(getUsage, days)?.isInvalidated).toBe(isFetched);
  expect(queryState(getProcessedFiles, otherPage)?.isInvalidated).toBe(false);
});

describe('an event about judgements', () => {
  const judged = (version: number) =>
    batch('two', {
      state: 'completed',
      judged: { right: version, wrong: 0, later: 0 },
      judgement_version: version,
    });
  const rowsAreStale = () => queryState(getRows, rowPage('two'))?.isInvalidated;
  const shownVersion = () => queryState(getBatch, { id: 'two' })?.data?.batch.judgement_version;
  beforeEach(() => {
    vi.useFakeTimers();
    setQueryData(getBatch, { id: 'two' }, stored(judged(3)));
    setQueryData(getRows, rowPage('two'), noRows);
    return () => vi.runAllTimersAsync();
  });

  it('of another tab shows them, with the rows but not the figures of the dashboard', () => {
    setQueryData(getUsage, { days: [] }, { status: true, charged: [], answered: 0, failed: 0 });
    applyEvent({ kind: 'batch', batch: judged(4) });
    expect([rowsAreStale(), shownVersion()]).toEqual([true, 4]);
    expect(queryState(getUsage, { days: [] })?.isInvalidated).toBe(false);
  });

  it('of this tab fetches nothing, whether it comes after or before the answer', async () => {
    showJudged('two', { status: true, message: '', rows: [], batch: judged(4) });
    setQueryData(getRows, rowPage('two'), noRows);
    applyEvent({ kind: 'batch', batch: judged(4) });
    const answer = Promise.withResolvers<void>();
    void whileSaving('two', answer.promise);
    applyEvent({ kind: 'batch', batch: judged(5) });
    expect(shownVersion()).toBe(4);
    answer.resolve();
    await answer.promise;
    showJudged('two', { status: true, message: '', rows: [], batch: judged(5) });
    setQueryData(getRows, rowPage('two'), noRows);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([rowsAreStale(), shownVersion()]).toEqual([false, 5]);
  });

  it('that is late does not take back what was judged since', () => {
    applyEvent({ kind: 'batch', batch: judged(2) });
    expect([rowsAreStale(), shownVersion()]).toEqual([false, 3]);
  });

  it('fetches the rows at most once a second', async () => {
    for (const version of [4, 5, 6]) {
      applyEvent({ kind: 'batch', batch: judged(version) });
      setQueryData(getRows, rowPage('two'), noRows);
    }
    await vi.advanceTimersByTimeAsync(900);
    expect(rowsAreStale()).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(rowsAreStale()).toBe(true);
  });
});

it('fetches what the bell shows when there is news', () => {
  setQueryData(getNotifications, {}, { status: true, notifications: [], unread: 0 });
  applyEvent({ kind: 'news' });
  expect(queryState(getNotifications, {})?.isInvalidated).toBe(true);
});

it('fetches the plan when there is news, which may tell that a refund took it', () => {
  const account = { billing_address: {}, had_plan: true, message: '', status: true };
  const known = { ...account, plan: null, next_plans: [] };
  setQueryData(getUserPlan, { user_id: 'u' }, known);
  applyEvent({ kind: 'news' });
  expect(queryState(getUserPlan, { user_id: 'u' })?.isInvalidated).toBe(true);
});

it('removes a deleted batch and its rows', () => {
  setQueryData(getBatch, { id: 'two' }, stored(batch('two')));
  setQueryData(getRows, rowPage('two'), noRows);
  applyEvent({ kind: 'batch_deleted', id: 'two' });
  expect(queryState(getProcessedFiles, firstPage)?.data).toEqual(list(batch('one')));
  expect(queryState(getBatch, { id: 'two' })?.data).toBeUndefined();
  expect(queryState(getRows, rowPage('two'))?.data).toBeUndefined();
});

it('writes the balance where the header reads it, and fetches again what is not fresh', () => {
  applyEvent({ kind: 'credits', user_id: 'u', creditsAvailable: 7, debt: 0 });
  const balance = queryState(getAvailableCredits, { creditUser: { user_id: 'u' } })?.data;
  expect(balance?.creditsAvailable).toBe(7);
  expect(queryState(getProcessedFiles, firstPage)?.isInvalidated).toBe(false);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
  applyEvent({ kind: 'credits', user_id: 'u', creditsAvailable: 7, debt: 0 });
  expect(queryState(getProcessedFiles, firstPage)?.isInvalidated).toBe(true);
});

it('fetches again what depends on the balance or the monthly limit once they may have changed', () => {
  const quote = { query: { quote: true } };
  setQueryData(askChatGpt, quote, { status: true });
  setQueryData(userList, {}, { status: true, users: [], total: 0, can_give: 0 });
  // The one that was set last, perhaps a millisecond later.
  const { dataUpdatedAt = 0 } = queryState(userList, {}) ?? {};
  vi.useFakeTimers({ toFake: ['Date'], now: dataUpdatedAt + 2_000 });
  applyEvent({ kind: 'credits', user_id: 'u', creditsAvailable: 8, debt: 0 });
  expect(queryState(askChatGpt, quote)?.isInvalidated).toBe(true);
  expect(queryState(userList, {})?.isInvalidated).toBe(true);
});

it('applies only the latest event of each batch while it throttles', async () => {
  const applied: string[] = [];
  await new Promise<void>((resolve) => {
    const onEvent = throttleEvents((event) => {
      applied.push(
        event.kind === 'batch' ? `${event.batch.id} ${event.batch.answered}` : event.kind,
      );
      if (applied.length === 3) resolve();
    });
    for (const answered of [1, 2, 3]) onEvent({ kind: 'batch', batch: batch('one', { answered }) });
    onEvent({ kind: 'batch', batch: batch('two') });
    onEvent({ kind: 'credits', user_id: 'u', creditsAvailable: 1, debt: 0 });
  });
  expect(applied).toEqual(['one 3', 'two 0', 'credits']);
});
