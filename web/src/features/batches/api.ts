import {
  type AnswerOf,
  type BatchOrder,
  type BatchState,
  getBatch,
  getProcessedFiles,
  getRows,
  type RowSearch,
  type RowSort,
} from '@rowmill/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { offlineQueryOf } from '../../lib/api/offline-cache.ts';
import { queryClient, queryOf } from '../../lib/api/query.ts';
import { pagesBetween } from '../../ui/grid/grid-pages.ts';

export const batchPageSizes = ['50', '100'] as const;
export const rowsPerPage = 100;

/** The stream reports changes; polling catches those that were missed while it was broken. */
const pollMilliseconds = 10_000;
const pollRowsMilliseconds = 3_000;
/** Long answers add up while scrolling through 100,000 rows, so unseen pages are dropped early. */
const cachedRowsMilliseconds = 30_000;

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
  search: RowSearch;
  sort: RowSort | null;
  isRunning: boolean;
  isEnded: boolean;
}

const listRequest = ({ id, search, sort }: RowView) => ({ id, ...search, ...(sort && { sort }) });

export function rowsQuery(view: RowView, page: number) {
  const request = { ...listRequest(view), start: page * rowsPerPage, limit: rowsPerPage };
  return queryOptions({
    ...offlineQueryOf(getRows, request, () => !view.isRunning),
    gcTime: cachedRowsMilliseconds,
    refetchInterval: view.isRunning && pollRowsMilliseconds,
  });
}

/** The rows of a list from first to last. Pages that are not loaded are fetched. */
export async function fetchRows(view: RowView, first: number, last: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const page of pagesBetween(first, last, rowsPerPage))
    rows.push(...(await queryClient.fetchQuery(rowsQuery(view, page))).rows);
  const skipped = first % rowsPerPage;
  return rows.slice(skipped, skipped + last - first + 1);
}

/**
 * The values of a column with their counts; null when there are too many. A condition of the column
 * itself does not count.
 */
export function valuesQuery({ id, search }: RowView, column: string) {
  const conditions = search.conditions.filter((condition) => condition.column !== column);
  return {
    ...queryOf(getRows, { id, ...search, conditions, count: column, limit: 1 }),
    select: ({ values = null }: AnswerOf<typeof getRows>) => values,
  };
}

/** A row that an address names, with its position in the list. Positions change: not cached. */
export function linkedRowQuery(view: RowView, number: number | null) {
  const request = { ...listRequest(view), row: (number ?? 1) - 1, limit: 1 };
  return queryOptions({
    ...offlineQueryOf(getRows, request, () => !view.isRunning),
    gcTime: 0,
    enabled: number !== null,
  });
}

export type Row = AnswerOf<typeof getRows>['rows'][number];
