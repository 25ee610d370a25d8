import { useDebouncedValue } from '../../lib/hooks/timing.ts';

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

/** The pages of the visible rows and a few around them. */
export function useNeededPages({ first, last, total }: VisibleRange, limit: number): number[] {
  const lastNeeded = Math.min(last + prefetchedRows, total - 1);
  const needed = pagesBetween(first - prefetchedRows, lastNeeded, limit).join(' ');
  return useDebouncedValue(needed, debounceMilliseconds).split(' ').map(Number);
}
