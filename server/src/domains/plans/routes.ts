import type { Routes } from '../../core/handlers.ts';
import { listClientPlans, listOfferedPacks, listOfferedPlans } from './offers.ts';

export const planRoutes = {
  getPlans: listOfferedPlans,
  listCreditsAvailableForPurchase: listOfferedPacks,
  getUsersPlan: listClientPlans,
} satisfies Partial<Routes>;
