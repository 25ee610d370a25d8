import { getProcessedFiles } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';

const shown = 5;
/** As many as one call gives: what the figures and the chart are reckoned from. */
export const reckoned = 100;
/** The stream tells what changes; asking again now and then catches what was told while it was broken. */
const askAgainMilliseconds = 10_000;

/** The stream writes into every query under `batches`, these too; a list made stale by it is asked for again. */
const live = { staleTime: 0, refetchInterval: askAgainMilliseconds } as const;

export const runningBatchesQuery = queryOptions({
  ...live,
  queryKey: ['batches', { state: 'running', limit: shown }],
  queryFn: ({ signal }) => call(getProcessedFiles, { state: 'running', limit: shown }, { signal }),
});

export const lastBatchesQuery = queryOptions({
  ...live,
  queryKey: ['batches', { limit: shown }],
  queryFn: ({ signal }) => call(getProcessedFiles, { limit: shown }, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.files.some((batch) => batch.state === 'running') && askAgainMilliseconds,
});

export const reckonedBatchesQuery = queryOptions({
  queryKey: ['batches', { limit: reckoned }],
  queryFn: ({ signal }) => call(getProcessedFiles, { limit: reckoned }, { signal }),
});
