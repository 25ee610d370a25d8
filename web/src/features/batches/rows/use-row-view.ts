import type { RowFilter } from '@rowmill/contract';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export const rowFilters = [
  'all',
  'waiting',
  'answered',
  'failed',
] as const satisfies readonly RowFilter[];

/** Which rows of a batch are shown, kept in the address. */
export function useRowView() {
  const [params, setParams] = useSearchParams();
  const filter = rowFilters.find((name) => name === params.get('rows')) ?? 'all';
  const search = (params.get('search') ?? '').slice(0, 200);
  const change = useCallback(
    (name: 'rows' | 'search', value: string) =>
      setParams(
        (before) => {
          if (value && value !== 'all') before.set(name, value);
          else before.delete(name);
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  return {
    filter,
    search,
    showFilter: useCallback((next: RowFilter) => change('rows', next), [change]),
    showSearch: useCallback((next: string) => change('search', next), [change]),
  };
}
