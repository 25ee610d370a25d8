import { type AnswerOf, type Batch, getBatch } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../../harness/memory-storage.ts';
import { queryClient, queryState, queryWith, setQueryData } from '../../../lib/api/query.ts';
import { inGroups, showJudged } from './save-judgements.tsx';

beforeEach(() => {
  resetStorage();
  queryClient.clear();
});

it('saves the rows of each judgement together, up to 1,000 in a call', () => {
  const judged = Array.from({ length: 1_502 }, (_, row) => ({
    id: 'batch',
    rows: [row],
    judgement: row < 2 ? null : ('right' as const),
  }));
  const calls = inGroups(judged);
  expect(calls.map(({ judgement, rows }) => [judgement, rows.length])).toEqual([
    [null, 2],
    ['right', 1_000],
    ['right', 500],
  ]);
  expect(calls.flatMap(({ rows }) => rows)).toEqual(judged.flatMap(({ rows }) => rows));
});

it('keeps a judgement when the batch was being fetched as it was before', async () => {
  const request = { id: 'b' };
  const answer = (marked: number): AnswerOf<typeof getBatch> => ({
    status: true,
    batch: { id: 'b', marked } as Batch,
  });
  setQueryData(getBatch, request, answer(0));
  const before = Promise.withResolvers<AnswerOf<typeof getBatch>>();
  const answers = [before.promise, Promise.resolve(answer(1))];
  const query = queryWith(getBatch, request, () => answers.shift() ?? Promise.reject(new Error()));
  const fetching = queryClient.fetchQuery({ ...query, staleTime: 0, retry: false });
  showJudged('b', { status: true, message: '', rows: [], batch: answer(1).batch });
  before.resolve(answer(0));
  await Promise.allSettled([fetching, before.promise]);
  expect(queryState(getBatch, request)?.data?.batch.marked).toBe(1);
});
