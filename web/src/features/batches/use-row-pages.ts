import { useQueries } from '@tanstack/react-query';
import { useSettled } from '../../lib/use-settled.ts';
import { type Row, type RowView, rowsPerPage, rowsQuery } from './api.ts';
import { pagesOver } from './paging.ts';

/** Long enough that a pull through the whole table asks for nothing on its way. */
const settleMilliseconds = 80;
const ahead = 25;

interface Range {
  first: number;
  last: number;
  total: number;
}

/** The rows in view and a few around them. A page that leaves the view before it arrived is given up. */
export function useRowPages(view: RowView, { first, last, total }: Range) {
  const wanted = pagesOver(first - ahead, Math.min(last + ahead, total - 1), rowsPerPage).join(' ');
  const pages = useSettled(wanted, settleMilliseconds).split(' ').map(Number);
  const results = useQueries({ queries: pages.map((page) => rowsQuery(view, page)) });
  const rows = new Map(pages.map((page, index) => [page, results[index]?.data?.rows]));
  return {
    rowAt: (index: number): Row | undefined =>
      rows.get(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    broken: results.filter(({ isError, data }) => isError && !data),
  };
}
