import {
  type AnswerOf,
  askChatGpt,
  getActivity,
  getAvailableCredits,
  getFile,
  getProcessedFiles,
  getQuestionsAsked,
  getUsage,
  getVariables,
  type RequestOf,
  recentQuestions,
  reviseFile,
  type Sheet,
} from '@rowmill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../../lib/api/api-client.ts';
import {
  callOrStored,
  offlineQueryOf,
  storedFirst,
  storeOffline,
} from '../../lib/api/offline-cache.ts';
import { invalidate, queryClient, queryOf, queryWith, setQueryData } from '../../lib/api/query.ts';
import { errorMessage, refusalCode } from '../../lib/api/refusal.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/ask.ts';
import { sheetIsGone } from '../../texts/sheets.ts';
import { pagesBetween } from '../../ui/grid/grid-pages.ts';

export type AskRequest = RequestOf<typeof askChatGpt>;
export type AskAnswer = AnswerOf<typeof askChatGpt>;

/** A prompt that is sent a second time, unless it is too long to fit twice into a request. */
export const unlessLong = (prompt: string) => (prompt.length > 20_000 ? '' : prompt);

/** How to read an uploaded file again. */
export type ImportSettings = Omit<RequestOf<typeof reviseFile>, 'id' | 'switchedAs'>;

const sheetRequest = (id: string) => ({ id, limit: 1 });

/** The sheet of a draft; null when it no longer exists. */
export function useSheet(id: string | null) {
  const request = sheetRequest(id ?? '');
  return useQuery({
    ...queryWith(getFile, request, (signal) =>
      callOrStored(getFile, request, { signal }).catch((error) => {
        if (refusalCode(error) === 'not_found') return null;
        throw error;
      }),
    ),
    ...storedFirst,
    select: (answer) => answer?.file ?? null,
    enabled: id !== null,
  });
}

/** Calls `onLoaded` once a sheet that a link opens is loaded, or cannot be. */
export function useOpenedSheet(id: string | null, onLoaded: (sheet: Sheet | null) => void): void {
  const { data, error, isPending } = useSheet(id);
  const report = useEffectEvent(() => {
    if (!data) showToast('error', error ? errorMessage(error) : sheetIsGone);
    onLoaded(data ?? null);
  });
  useEffect(() => {
    if (id && !isPending) report();
  }, [id, isPending]);
}

/** Shows a sheet that was just uploaded without fetching it. */
export function cacheSheet(file: Sheet): void {
  const answer: AnswerOf<typeof getFile> = { status: true, file, rows: [] };
  setQueryData(getFile, sheetRequest(file.id), answer);
  storeOffline(getFile, sheetRequest(file.id), answer);
}

export const sheetRowsPerPage = 100;

/** Rows of a sheet. They change only when the file is read in another way, also by another tab. */
function rowsQuery({ id, dialect }: Sheet, range: { start: number; limit: number }) {
  const request = { id, ...range };
  const known = { ...request, dialect };
  return {
    ...queryWith(getFile, known, (signal) => callOrStored(getFile, request, { signal, known })),
    ...storedFirst,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** A page of the rows of a sheet. */
export function sheetRowsQuery(sheet: Sheet, page: number) {
  return {
    ...rowsQuery(sheet, { start: page * sheetRowsPerPage, limit: sheetRowsPerPage }),
    select: ({ rows }: AnswerOf<typeof getFile>) => rows,
  };
}

export interface SheetRow {
  row: number;
  cells: readonly string[];
}

/** The rows of a sheet from first to last. Pages that are not loaded are fetched. */
export async function fetchSheetRows(
  sheet: Sheet,
  first: number,
  last: number,
): Promise<SheetRow[]> {
  const rows: string[][] = [];
  for (const page of pagesBetween(first, last, sheetRowsPerPage))
    rows.push(...(await queryClient.fetchQuery(sheetRowsQuery(sheet, page))).rows);
  const skipped = first % sheetRowsPerPage;
  const wanted = rows.slice(skipped, skipped + last - first + 1);
  return wanted.map((cells, index) => ({ row: first + index, cells }));
}

/** One row of a sheet. The previous row of the same sheet stays visible while it loads. */
export function useRow(sheet: Sheet, index: number) {
  return useQuery({
    ...rowsQuery(sheet, { start: index, limit: 1 }),
    select: ({ rows }) => rows[0] ?? null,
    placeholderData: (before) => (before?.file.id === sheet.id ? before : undefined),
  });
}

export function useImportSettings(sheet: Sheet, onSheet: (sheet: Sheet) => void) {
  return useMutation({
    mutationFn: async (settings: ImportSettings) =>
      (await call(reviseFile, { id: sheet.id, ...settings })).file,
    onSuccess: (revised) => {
      onSheet(revised);
      // Other import settings give other rows, and those another quote.
      void invalidate(getFile, { id: sheet.id });
      void invalidate(askChatGpt);
    },
  });
}

export function useVariables() {
  return useQuery({ ...offlineQueryOf(getVariables, {}), select: ({ variables }) => variables });
}

export type SavedVariable = AnswerOf<typeof getVariables>['variables'][number];

export function variableValues(
  variables: readonly SavedVariable[] | undefined,
): Record<string, string> | null {
  return variables ? Object.fromEntries(variables.map(({ name, value }) => [name, value])) : null;
}

export function useRecentPrompts() {
  return useQuery({ ...queryOf(recentQuestions, {}), select: ({ questions }) => questions });
}

/** What a request would cost. Never cached, because the balance changes. */
export function useQuote(request: AskRequest | null) {
  const asked = { ...request, query: { ...request?.query, quote: true } };
  return useQuery({
    ...queryWith(askChatGpt, asked, (signal) =>
      call(askChatGpt, asked, { signal }).catch((error) => {
        // The sheet may have been deleted since the page showed it.
        if (refusalCode(error) === 'not_found')
          void invalidate(getFile, sheetRequest(asked.query.file ?? ''));
        throw error;
      }),
    ),
    select: ({ quote }) => {
      if (!quote) throw new Error(texts.noQuote);
      return quote;
    },
    enabled: request !== null,
    staleTime: 0,
    gcTime: 0,
  });
}

/** What shows the balance, batches, quotes or prompts. */
const callsWithSpending = [
  getAvailableCredits,
  getUsage,
  getProcessedFiles,
  askChatGpt,
  recentQuestions,
  getQuestionsAsked,
  getActivity,
] as const;

export function invalidateSpending(): void {
  for (const call of callsWithSpending) void invalidate(call);
}
