import type { Routes } from '../../handlers.ts';
import { listClientPlans, listOfferedPacks, listOfferedPlans } from './list-offers.ts';

export const planRoutes = {
  getPlans: listOfferedPlans,
  listCreditsAvailableForPurchase: listOfferedPacks,
  getUsersPlan: listClientPlans,
} satisfies Partial<Routes>;
