import {
  getAuditLog,
  getModels,
  getProviders,
  type Provider,
  type ProviderModel,
} from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';

export function providersQuery() {
  return queryOf(getProviders, {});
}

/** What shows providers or models. */
export const changedByProviders = [getProviders, getModels, getAuditLog];

/** What is open, with what it was opened with, so that no answer that comes meanwhile overwrites what is typed. */
export type Open =
  | { kind: 'provider'; provider: Provider | null }
  | { kind: 'model'; provider: Provider; model: ProviderModel | null }
  | { kind: 'test'; provider: Provider };
