import {
  type BatchState,
  getBatch,
  getProcessedFiles,
  getRows,
  type RowFilter,
} from '@rowmill/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { call } from '../../lib/api-client.ts';
import { callOrKept } from '../../lib/kept-answers.ts';

export const batchesPerPage = 20;
export const rowsPerPage = 100;

/** The stream tells what changes; asking again now and then catches what was told while it was broken. */
const askAgainMilliseconds = 10_000;
const rowsAgainMilliseconds = 3_000;
/** Long texts add up while somebody scrolls through 100,000 rows, so pages out of view are soon forgotten. */
const keepRowsMilliseconds = 30_000;

/** Without a connection the calls fail and what was kept is shown; the cache itself would only wait. */
const networkMode = 'always';
const isFinal = () => true;

export interface BatchView {
  search: string;
  state: BatchState | null;
  start: number;
}

export function batchesQuery({ search, state, start }: BatchView) {
  return queryOptions({
    queryKey: ['batches', { search, state, start }],
    queryFn: ({ signal }) =>
      callOrKept(
        getProcessedFiles,
        { search, start, limit: batchesPerPage, ...(state ? { state } : {}) },
        { signal, isFinal },
      ),
    networkMode,
    // What the stream writes into a list makes it look fresh, though it may lack a batch that is new.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.files.some((batch) => batch.state === 'running') && askAgainMilliseconds,
  });
}

export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ['batch', id],
    queryFn: async ({ signal }) => {
      const isEnded = ({ batch }: { batch: { ended_at: string | null } }) =>
        batch.ended_at !== null;
      return (await callOrKept(getBatch, { id }, { signal, isFinal: isEnded })).batch;
    },
    networkMode,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.state === 'running' && askAgainMilliseconds,
  });
}

export interface RowView {
  id: string;
  filter: RowFilter;
  search: string;
  isRunning: boolean;
}

export function rowsQuery({ id, filter, search, isRunning }: RowView, page: number) {
  return queryOptions({
    queryKey: ['rows', id, filter, search, page],
    queryFn: ({ signal }) => {
      const request = { id, filter, search, start: page * rowsPerPage, limit: rowsPerPage };
      return callOrKept(getRows, request, { signal, isFinal: () => !isRunning });
    },
    networkMode,
    gcTime: keepRowsMilliseconds,
    refetchInterval: isRunning && rowsAgainMilliseconds,
  });
}

export type Row = Awaited<ReturnType<typeof call<typeof getRows>>>['rows'][number];
