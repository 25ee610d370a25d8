import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import type { NavigateOptions } from 'react-router';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';

interface Page {
  search: string;
  start: number;
  limit: number;
}

/** A list from the server. The search and the page are in the address. */
export function useList<T, K extends QueryKey>(
  queryOf: (page: Page) => UseQueryOptions<T, Error, T, K>,
  limit = 20,
) {
  const [{ search, start }, show] = useSearchState(listState);
  const query = useQuery({
    ...queryOf({ search, start, limit }),
    placeholderData: keepPreviousData,
  });
  return {
    query,
    search: { value: search, onSearch: (text: string) => show({ search: text }) },
    page: {
      start,
      limit,
      onGo: (to: number, options?: NavigateOptions) => show({ start: to }, options),
    },
    /** The first page of all entries. */
    showAll: () => show({ search: '' }),
    isSearched: search !== '',
  };
}
