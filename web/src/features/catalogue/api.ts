import {
  getAuditLog,
  getCatalogue,
  getCatalogueHistory,
  getPlans,
  listCreditsAvailableForPurchase,
} from '@rowmill/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { invalidate, queryOf } from '../../lib/api/query.ts';

export const historyLimit = 20;

export function catalogueQuery() {
  return queryOf(getCatalogue, {});
}

export function historyQuery(start: number) {
  return queryOptions({
    ...queryOf(getCatalogueHistory, { start, limit: historyLimit }),
    placeholderData: keepPreviousData,
  });
}

/** Refetches everything that shows prices: catalogue, shop, plans. */
export function invalidatePrices(): void {
  void invalidate(getCatalogue);
  void invalidate(getCatalogueHistory);
  void invalidate(listCreditsAvailableForPurchase);
  void invalidate(getPlans);
  void invalidate(getAuditLog);
}
