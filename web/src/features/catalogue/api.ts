import { getCatalogue, getCatalogueHistory } from '@rowmill/contract';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';

export const historyLimit = 20;

export function catalogueQuery() {
  return queryOptions({
    queryKey: ['catalogue', 'now'],
    queryFn: ({ signal }) => call(getCatalogue, {}, { signal }),
  });
}

export function historyQuery(start: number) {
  return queryOptions({
    queryKey: ['catalogue', 'history', start],
    queryFn: ({ signal }) => call(getCatalogueHistory, { start, limit: historyLimit }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Whatever shows what is for sale asks again: this page, the shop, the plans. */
export function forgetPrices(queries: QueryClient): void {
  for (const key of ['catalogue', 'packs', 'plans', 'audit'])
    void queries.invalidateQueries({ queryKey: [key] });
}
