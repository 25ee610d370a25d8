import { useQueries } from '@tanstack/react-query';
import { useDebouncedValue } from '../../../lib/hooks/timing.ts';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';

/** The pages that contain the rows from first to last. */
export function pagesBetween(first: number, last: number, limit: number): number[] {
  const from = Math.floor(Math.max(0, first) / limit);
  const to = Math.floor(Math.max(0, last) / limit);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Long enough that dragging the scroll bar through the table loads nothing on the way. */
const debounceMilliseconds = 80;
const prefetchedRows = 25;

interface VisibleRange {
  first: number;
  last: number;
  total: number;
}

/** Loads the visible rows and a few around them. A page that leaves the view while loading is cancelled. */
export function useRowPages(view: RowView, { first, last, total }: VisibleRange) {
  const lastNeeded = Math.min(last + prefetchedRows, total - 1);
  const needed = pagesBetween(first - prefetchedRows, lastNeeded, rowsPerPage).join(' ');
  const pages = useDebouncedValue(needed, debounceMilliseconds).split(' ').map(Number);
  const results = useQueries({ queries: pages.map((page) => rowsQuery(view, page)) });
  const rows = new Map(pages.map((page, index) => [page, results[index]?.data?.rows]));
  return {
    rowAt: (index: number): Row | undefined =>
      rows.get(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    failedPages: results.filter(({ isError, data }) => isError && !data),
  };
}
