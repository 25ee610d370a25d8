import { getPlans } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api-client.ts';

/** The plans that can be chosen, with what they cost at the moment. */
export function plansQuery() {
  return queryOptions({
    queryKey: ['plans'],
    queryFn: ({ signal }) => call(getPlans, {}, { signal }),
  });
}
