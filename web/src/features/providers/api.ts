import {
  getAuditLog,
  getModels,
  getProviders,
  type Provider,
  type ProviderModel,
} from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';

const pollMilliseconds = 15_000;

/** Batches pause and resume without a change by an operator. */
export function providersQuery() {
  return queryOptions({
    ...queryOf(getProviders, {}),
    staleTime: 0,
    refetchInterval: pollMilliseconds,
  });
}

/** What shows providers or models. */
export const changedByProviders = [getProviders, getModels, getAuditLog];

/** What is open, with its first values, so that a later answer does not overwrite typed text. */
export type Open =
  | { kind: 'provider'; provider: Provider | null }
  | { kind: 'model'; provider: Provider; model: ProviderModel | null }
  | { kind: 'test'; provider: Provider }
  | { kind: 'delete'; provider: Provider };
