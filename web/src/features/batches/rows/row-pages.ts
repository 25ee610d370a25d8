import { useQueries } from '@tanstack/react-query';
import { useNeededPages } from '../../../ui/grid/grid-pages.ts';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';

/** Loads the rows in view. A page that leaves the view while loading is cancelled. */
export function useRowPages(view: RowView, total: number) {
  const { pages, onVisible } = useNeededPages(total, rowsPerPage);
  const results = useQueries({ queries: pages.map((page) => rowsQuery(view, page)) });
  const rows = new Map(pages.map((page, index) => [page, results[index]?.data?.rows]));
  return {
    onVisible,
    rowAt: (index: number): Row | undefined =>
      rows.get(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    failedPages: results.filter(({ isError, data }) => isError && !data),
  };
}
