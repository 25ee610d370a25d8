import {
  type AnswerOf,
  askChatGpt,
  getFile,
  getModels,
  getVariables,
  type RequestOf,
  recentQuestions,
  reviseFile,
  type Sheet,
} from '@rowmill/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { Refusal } from '../../lib/refusal.ts';
import * as texts from '../../texts/ask.ts';

export type AskRequest = RequestOf<typeof askChatGpt>;
export type AskAnswer = AnswerOf<typeof askChatGpt>;
export type Revision = Omit<RequestOf<typeof reviseFile>, 'id' | 'switchedAs'>;

/** What is fetched is kept apart by the person for whom it is. */
export const askKeys = {
  sheet: (userId: string, id: string | null) => ['ask', userId, 'sheet', id],
  variables: (userId: string) => ['ask', userId, 'variables'],
  recent: (userId: string) => ['ask', userId, 'recent'],
  quotes: (userId: string) => ['ask', userId, 'quote'],
} as const;

/** The sheet of a draft; null when it is gone meanwhile. */
export function useSheet(userId: string, id: string | null) {
  return useQuery({
    queryKey: askKeys.sheet(userId, id),
    enabled: id !== null,
    queryFn: async (): Promise<Sheet | null> => {
      try {
        return (await call(getFile, { id: id ?? '', limit: 1 })).file;
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found') return null;
        throw error;
      }
    },
  });
}

/** One row of a sheet. The one before, of the same sheet, stays in sight until it is there. */
export function useRow(sheet: Sheet, index: number) {
  return useQuery({
    queryKey: ['ask', 'row', sheet.id, sheet.dialect, index],
    queryFn: async () =>
      (await call(getFile, { id: sheet.id, start: index, limit: 1 })).rows[0] ?? null,
    placeholderData: (before, query) => (query?.queryKey[2] === sheet.id ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useRevision(sheet: Sheet, onSheet: (sheet: Sheet) => void) {
  return useMutation({
    mutationFn: async (revision: Revision) =>
      (await call(reviseFile, { id: sheet.id, ...revision })).file,
    onSuccess: onSheet,
  });
}

export function useVariables(userId: string) {
  return useQuery({
    queryKey: askKeys.variables(userId),
    queryFn: async () => (await call(getVariables, {})).variables,
  });
}

export type KeptVariable = AnswerOf<typeof getVariables>['variables'][number];

export function valuesOf(
  variables: readonly KeptVariable[] | undefined,
): Record<string, string> | null {
  return variables ? Object.fromEntries(variables.map(({ name, value }) => [name, value])) : null;
}

export function useRecentQuestions(userId: string) {
  return useQuery({
    queryKey: askKeys.recent(userId),
    queryFn: async () => (await call(recentQuestions, {})).questions,
  });
}

export function useModels() {
  return useQuery({
    queryKey: ['ask', 'models'],
    queryFn: async () => (await call(getModels, {})).models,
    staleTime: 10 * 60_000,
  });
}

/** What a request would cost, asked anew for every other request. It is never kept: the balance moves. */
export function useQuote(userId: string, request: AskRequest | null) {
  return useQuery({
    queryKey: [...askKeys.quotes(userId), request],
    enabled: request !== null,
    queryFn: async ({ signal }) => {
      const query = { ...request?.query, quote: true };
      const { quote } = await call(askChatGpt, { ...request, query }, { signal });
      if (!quote) throw new Error(texts.noQuote);
      return quote;
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** After submissions were spent: every number that tells of them is asked for anew. */
export function useSpent(userId: string): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [
      ['credits'],
      ['batches'],
      askKeys.quotes(userId),
      askKeys.recent(userId),
    ]) {
      void client.invalidateQueries({ queryKey });
    }
  };
}
