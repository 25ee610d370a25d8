import {
  type AnswerOf,
  type BatchOrder,
  type BatchState,
  getBatch,
  getProcessedFiles,
  getRows,
  type Judgement,
  type RequestOf,
  type RowFilter,
  type RowSort,
} from '@rowmill/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { offlineQueryOf } from '../../lib/api/offline-cache.ts';

export const batchPageSizes = ['50', '100'] as const;
export const rowsPerPage = 100;

/** The stream reports changes; polling catches those that were missed while it was broken. */
const pollMilliseconds = 10_000;
const pollRowsMilliseconds = 3_000;
/** Long answers add up while scrolling through 100,000 rows, so pages out of view are dropped early. */
const keepRowsMilliseconds = 30_000;

export interface BatchView {
  search: string;
  state: BatchState | null;
  sort: BatchOrder;
  size: (typeof batchPageSizes)[number];
  start: number;
}

export function batchesQuery({ search, state, sort, size, start }: BatchView) {
  const request = { search, start, limit: Number(size), sort, ...(state ? { state } : {}) };
  return queryOptions({
    ...offlineQueryOf(getProcessedFiles, request),
    // Written to by the stream, a list looks fresh though it may lack a new batch.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.files.some((batch) => batch.state === 'running') && pollMilliseconds,
  });
}

export function batchQuery(id: string) {
  return queryOptions({
    ...offlineQueryOf(getBatch, { id }, ({ batch }) => batch.ended_at !== null),
    select: ({ batch }) => batch,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.batch.state === 'running' && pollMilliseconds,
  });
}

export interface RowView {
  id: string;
  filter: RowFilter;
  search: string;
  judged: Judgement | null;
  sort: RowSort | null;
  isRunning: boolean;
}

export function rowsQuery({ id, filter, search, judged, sort, isRunning }: RowView, page: number) {
  const request: RequestOf<typeof getRows> = {
    id,
    filter,
    search,
    start: page * rowsPerPage,
    limit: rowsPerPage,
    ...(judged && { conditions: [{ column: 'judgement', is: 'equals', value: judged }] }),
    ...(sort && { sort }),
  };
  return queryOptions({
    ...offlineQueryOf(getRows, request, () => !isRunning),
    gcTime: keepRowsMilliseconds,
    refetchInterval: isRunning && pollRowsMilliseconds,
  });
}

/** A row that an address names, with its position in the list of all rows. */
export function linkedRowQuery(id: string, number: number | null) {
  const request = { id, row: (number ?? 1) - 1, limit: 1, search: '' };
  return queryOptions({ ...offlineQueryOf(getRows, request), enabled: number !== null });
}

export type Row = AnswerOf<typeof getRows>['rows'][number];
