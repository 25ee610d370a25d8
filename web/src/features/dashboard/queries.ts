import { getProcessedFiles, getUsage, getUserPlan } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { correctStoredPlan } from '../../entities/plan/stored-plan.ts';
import { call } from '../../lib/api/api-client.ts';
import { queryOf, queryWith } from '../../lib/api/query.ts';
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

export function planQuery(userId: string) {
  const request = { user_id: userId };
  return queryWith(getUserPlan, request, async (signal) => {
    const answer = await call(getUserPlan, request, { signal });
    correctStoredPlan(userId, answer.plan);
    return answer;
  });
}
