import {
  getAuditLog,
  getCatalogue,
  getCatalogueHistory,
  getPlans,
  listCreditsAvailableForPurchase,
} from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';

export function catalogueQuery() {
  return queryOf(getCatalogue, {});
}

/** What shows prices: catalogue, shop, plans. */
export const changedByPrices = [
  getCatalogue,
  getCatalogueHistory,
  listCreditsAvailableForPurchase,
  getPlans,
  getAuditLog,
];
