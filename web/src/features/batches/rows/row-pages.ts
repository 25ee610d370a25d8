import { useQueries } from '@tanstack/react-query';
import { useDebouncedValue } from '../../../lib/hooks/timing.ts';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';

/** The pages that hold the items from first to last. */
export function pagesOver(first: number, last: number, limit: number): number[] {
  const from = Math.floor(Math.max(0, first) / limit);
  const to = Math.floor(Math.max(0, last) / limit);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const moves: Record<string, (row: number, screen: number) => number> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row, screen) => row + screen,
  PageUp: (row, screen) => row - screen,
  Home: () => 0,
  End: () => Number.MAX_SAFE_INTEGER,
};

interface Place {
  row: number;
  total: number;
  /** How many rows fit on the screen. */
  screen: number;
}

/** Where a key leads in a table of rows; null for a key that does not move. */
export function moveTo(key: string, { row, total, screen }: Place): number | null {
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  if (!move || total === 0) return null;
  return Math.min(total - 1, Math.max(0, move(row, screen)));
}

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
  const pages = useDebouncedValue(wanted, settleMilliseconds).split(' ').map(Number);
  const results = useQueries({ queries: pages.map((page) => rowsQuery(view, page)) });
  const rows = new Map(pages.map((page, index) => [page, results[index]?.data?.rows]));
  return {
    rowAt: (index: number): Row | undefined =>
      rows.get(Math.floor(index / rowsPerPage))?.[index % rowsPerPage],
    broken: results.filter(({ isError, data }) => isError && !data),
  };
}
