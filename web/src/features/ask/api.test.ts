import { getActivity, getQuestionsAsked, type Sheet } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { queryState, setQueryData } from '../../lib/api/query.ts';
import { invalidateSpending, sheetRowsQuery } from './api.ts';

beforeEach(resetStorage);

it('caches the rows of a sheet apart for each way to read its file', () => {
  const keyOf = (dialect: object) => sheetRowsQuery({ id: 's', dialect } as Sheet, 0).queryKey;
  expect(keyOf({ header: true })).toEqual(keyOf({ header: true }));
  expect(keyOf({ header: true })).not.toEqual(keyOf({ header: false }));
});

it('fetches the lists of prompts and of activity again after a request that costs', () => {
  const page = { start: 0, limit: 20 };
  const empty = { status: true as const, total: 0 };
  setQueryData(getQuestionsAsked, page, { ...empty, questions: [] });
  setQueryData(getActivity, page, { ...empty, entries: [] });
  invalidateSpending();
  expect(queryState(getQuestionsAsked, page)?.isInvalidated).toBe(true);
  expect(queryState(getActivity, page)?.isInvalidated).toBe(true);
});
