import { useEffect } from 'react';
import { listState, useSearchState } from '../../lib/hooks/use-search-state.ts';

interface Props {
  start: number;
  total: number;
  limit: number;
}

/** In the place of a page without entries: leads to the last one that has some. */
export function LastPage({ start, total, limit }: Props) {
  const [, show] = useSearchState(listState);
  const last = Math.floor((total - 1) / limit) * limit;
  useEffect(() => {
    if (start > last) show({ start: last }, { replace: true });
  }, [start, last, show]);
  return null;
}
