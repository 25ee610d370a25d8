import { useQueries } from '@tanstack/react-query';
import { knownAnswer } from '../../../lib/api/query.ts';
import { useNeededPages } from '../../../ui/grid/grid-pages.ts';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';

/** Loads the rows in view. A page that leaves the view while loading is cancelled. */
export function useRowPages(view: RowView, total: number) {
  const { pages, onVisible } = useNeededPages(total, rowsPerPage);
  const results = useQueries({ queries: pages.map((page) => rowsQuery(view, page)) });
  const rows = new Map(pages.map((page, index) => [page, results[index]?.data?.rows]));
  /** What was loaded before is shown at once, and a cell does not lose its focus. */
  function pageAt(page: number) {
    if (!rows.has(page)) rows.set(page, knownAnswer(rowsQuery(view, page))?.rows);
    return rows.get(page);
  }
  return {
    onVisible,
    rowAt: (index: number): Row | undefined =>
      pageAt(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    failedPages: results.filter(({ isError, data }) => isError && !data),
  };
}
