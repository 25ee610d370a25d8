import { useSearchParams } from 'react-router';

/** Search and page of a list stand in the address, so that it can be kept, sent and gone back to. Other words in it stay. */
export function useListView() {
  const [parameters, setParameters] = useSearchParams();
  const search = (parameters.get('search') ?? '').slice(0, 200);
  const start = startIn(parameters);
  function go(changes: { search?: string; start?: number }): void {
    const next = { start: 0, ...changes };
    setParameters((before) => written(before, next), { replace: changes.search !== undefined });
  }
  return { search, start, go };
}

function startIn(parameters: URLSearchParams): number {
  const start = Number(parameters.get('start') ?? 0);
  return Number.isInteger(start) && start > 0 && start <= 10_000_000 ? start : 0;
}

function written(
  before: URLSearchParams,
  changes: Record<string, string | number>,
): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [key, value] of Object.entries(changes)) {
    if (value) next.set(key, String(value));
    else next.delete(key);
  }
  return next;
}
