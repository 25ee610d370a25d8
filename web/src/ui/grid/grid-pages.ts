import { useCallback, useState } from 'react';
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

/** The pages of the visible rows and a few around them. The same pages do not render again. */
export function useNeededPages(total: number, limit: number) {
  const [needed, setNeeded] = useState('0');
  const onVisible = useCallback(
    (first: number, last: number) => {
      const lastNeeded = Math.min(last + prefetchedRows, total - 1);
      setNeeded(pagesBetween(first - prefetchedRows, lastNeeded, limit).join(' '));
    },
    [total, limit],
  );
  const pages = useDebouncedValue(needed, debounceMilliseconds).split(' ').map(Number);
  return { pages, onVisible };
}
