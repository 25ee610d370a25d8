import { batchStates } from '@rowmill/contract';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import type { BatchView } from '../api.ts';

/** What of the history is shown, kept in the address. Whoever asks for another selection begins at its first page. */
export function useHistoryView() {
  const [params, setParams] = useSearchParams();
  const view = viewIn(params);
  const show = useCallback(
    (changes: Partial<BatchView>) => {
      const replace = changes.search !== undefined;
      setParams((before) => paramsOf({ ...viewIn(before), start: 0, ...changes }), { replace });
    },
    [setParams],
  );
  return { view, show };
}

/** An address can be written by hand; what makes no sense in it counts as absent. */
export function viewIn(params: URLSearchParams): BatchView {
  const start = Number(params.get('start') ?? 0);
  return {
    search: (params.get('search') ?? '').slice(0, 200),
    state: batchStates.find((state) => state === params.get('state')) ?? null,
    start: Number.isInteger(start) && start > 0 && start <= 10_000_000 ? start : 0,
  };
}

export function paramsOf({ search, state, start }: BatchView): Record<string, string> {
  return {
    ...(search ? { search } : {}),
    ...(state ? { state } : {}),
    ...(start ? { start: String(start) } : {}),
  };
}
