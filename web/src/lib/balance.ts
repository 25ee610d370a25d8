import { getAvailableCredits } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api-client.ts';

/** The submissions that somebody can use; the stream keeps them up to date under the same key. */
export function balanceQuery(userId: string) {
  return queryOptions({
    queryKey: ['credits', userId],
    queryFn: async () =>
      (await call(getAvailableCredits, { creditUser: { user_id: userId } })).creditsAvailable,
  });
}
