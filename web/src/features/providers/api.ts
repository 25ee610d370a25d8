import {
  getAuditLog,
  getModels,
  getProviders,
  type Provider,
  type ProviderModel,
} from '@rowmill/contract';
import { invalidate, queryOf } from '../../lib/api/query.ts';

export function providersQuery() {
  return queryOf(getProviders, {});
}

/** Refetches everything that shows providers or models. */
export function invalidateProviders(): void {
  void invalidate(getProviders);
  void invalidate(getModels);
  void invalidate(getAuditLog);
}

/** What is open, with what it was opened with, so that no answer that comes meanwhile overwrites what is typed. */
export type Open =
  | { kind: 'provider'; provider: Provider | null }
  | { kind: 'model'; provider: Provider; model: ProviderModel | null }
  | { kind: 'test'; provider: Provider };
