import { getProcessedFiles, getUsage } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';
import { startsOfDays } from './figures.ts';

const listed = 5;
/** The days of the chart. The figures add up the last of them. */
const chartDays = 14;
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

export function usageQuery() {
  const days = startsOfDays(new Date(), chartDays).map((day) => day.toISOString());
  return queryOptions({
    ...queryOf(getUsage, { days }),
    // Asked before the cards that show it; they need not ask again.
    staleTime: 3_000,
    refetchInterval: pollMilliseconds,
  });
}
