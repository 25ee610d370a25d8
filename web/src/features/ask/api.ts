import {
  type AnswerOf,
  askChatGpt,
  getAvailableCredits,
  getFile,
  getModels,
  getProcessedFiles,
  getVariables,
  type RequestOf,
  recentQuestions,
  reviseFile,
  type Sheet,
} from '@rowmill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { invalidate, queryOf, queryWith, setQueryData } from '../../lib/query.ts';
import { codeOf } from '../../lib/refusal.ts';
import * as texts from '../../texts/ask.ts';

export type AskRequest = RequestOf<typeof askChatGpt>;
export type AskAnswer = AnswerOf<typeof askChatGpt>;
export type Revision = Omit<RequestOf<typeof reviseFile>, 'id' | 'switchedAs'>;

const sheetRequest = (id: string) => ({ id, limit: 1 });

/** The sheet of a draft; null when it no longer exists. */
export function useSheet(id: string | null) {
  const request = sheetRequest(id ?? '');
  return useQuery({
    ...queryWith(getFile, request, (signal) =>
      call(getFile, request, { signal }).catch((error) => {
        if (codeOf(error) === 'not_found') return null;
        throw error;
      }),
    ),
    select: (answer) => answer?.file ?? null,
    enabled: id !== null,
  });
}

/** Shows a sheet that was just uploaded without fetching it. */
export function cacheSheet(file: Sheet): void {
  setQueryData(getFile, sheetRequest(file.id), { status: true, file, rows: [] });
}

/** One row of a sheet. The one before, of the same sheet, stays in sight until it is there. */
export function useRow(sheet: Sheet, index: number) {
  return useQuery({
    ...queryOf(getFile, { id: sheet.id, start: index, limit: 1 }),
    select: ({ rows }) => rows[0] ?? null,
    placeholderData: (before) => (before?.file.id === sheet.id ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useRevision(sheet: Sheet, onSheet: (sheet: Sheet) => void) {
  return useMutation({
    mutationFn: async (revision: Revision) =>
      (await call(reviseFile, { id: sheet.id, ...revision })).file,
    onSuccess: (revised) => {
      onSheet(revised);
      // In another dialect the file has other rows.
      void invalidate(getFile, { id: sheet.id });
    },
  });
}

export function useVariables() {
  return useQuery({ ...queryOf(getVariables, {}), select: ({ variables }) => variables });
}

export type KeptVariable = AnswerOf<typeof getVariables>['variables'][number];

export function valuesOf(
  variables: readonly KeptVariable[] | undefined,
): Record<string, string> | null {
  return variables ? Object.fromEntries(variables.map(({ name, value }) => [name, value])) : null;
}

export function useRecentQuestions() {
  return useQuery({ ...queryOf(recentQuestions, {}), select: ({ questions }) => questions });
}

export function useModels() {
  return useQuery({
    ...queryOf(getModels, {}),
    select: ({ models }) => models,
    staleTime: 10 * 60_000,
  });
}

/** What a request would cost, asked anew for every other request. It is never kept: the balance moves. */
export function useQuote(request: AskRequest | null) {
  return useQuery({
    ...queryOf(askChatGpt, { ...request, query: { ...request?.query, quote: true } }),
    select: ({ quote }) => {
      if (!quote) throw new Error(texts.noQuote);
      return quote;
    },
    enabled: request !== null,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Everything that shows the balance or the questions asked is fetched again. */
export function invalidateSpending(): void {
  for (const endpoint of [getAvailableCredits, getProcessedFiles, askChatGpt, recentQuestions])
    void invalidate(endpoint);
}
