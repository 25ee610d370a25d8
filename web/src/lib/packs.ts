import { listCreditsAvailableForPurchase } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './api-client.ts';

/** The packs that can be bought, with what they hold and cost at the moment. */
export function packsQuery() {
  return queryOptions({
    queryKey: ['packs'],
    queryFn: ({ signal }) => call(listCreditsAvailableForPurchase, {}, { signal }),
  });
}
