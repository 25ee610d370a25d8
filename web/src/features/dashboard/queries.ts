import { getProcessedFiles } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';

const listed = 5;
/** The most that one call gives: the figures and the chart are computed from these. */
export const counted = 100;
/** The stream reports changes; polling catches those that were missed while it was broken. */
const pollMilliseconds = 10_000;

const firstPage = (limit: number) => ({ start: 0, limit, search: '' });

export function runningBatchesQuery() {
  return queryOptions({
    ...queryOf(getProcessedFiles, { ...firstPage(listed), state: 'running' }),
    staleTime: 0,
    refetchInterval: pollMilliseconds,
  });
}

export function lastBatchesQuery() {
  return queryOptions({
    ...queryOf(getProcessedFiles, firstPage(listed)),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.files.some((batch) => batch.state === 'running') && pollMilliseconds,
  });
}

export function countedBatchesQuery() {
  return queryOf(getProcessedFiles, firstPage(counted));
}
