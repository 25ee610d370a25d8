import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export interface ListView {
  search: string;
  start: number;
  /** The order open in the dialog. */
  order: string | null;
}

/** List view in the URL. A new search starts at the first page. */
export function useListView() {
  const [params, setParams] = useSearchParams();
  const show = useCallback(
    (changes: Partial<ListView>) => {
      const moved = changes.search === undefined ? changes : { start: 0, ...changes };
      setParams((before) => paramsOf({ ...viewIn(before), ...moved }), {
        replace: changes.search !== undefined,
      });
    },
    [setParams],
  );
  return { view: viewIn(params), show };
}

/** Invalid values in the URL count as absent. */
export function viewIn(params: URLSearchParams): ListView {
  const start = Number(params.get('start'));
  const isPlace = Number.isInteger(start) && start > 0 && start <= 10_000_000;
  return {
    search: params.get('search')?.slice(0, 200) ?? '',
    start: isPlace ? start : 0,
    order: orderIn(params),
  };
}

export function paramsOf({ search, start, order }: ListView): Record<string, string> {
  const given = Object.entries({
    search,
    start: start > 0 ? String(start) : '',
    order: order ?? '',
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The order id in the URL, or null if it cannot be one. */
export function orderIn(params: URLSearchParams): string | null {
  const order = params.get('order') ?? '';
  return /^[\x21-\x7e]{1,200}$/.test(order) ? order : null;
}
