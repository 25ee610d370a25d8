import type { Routes } from '../../handlers.ts';
import { savePack } from './save-pack.ts';
import { savePlan } from './save-plan.ts';
import { savePricing } from './save-pricing.ts';
import { showCatalogue } from './show-catalogue.ts';
import { showHistory } from './show-history.ts';

export const catalogueRoutes = {
  getCatalogue: showCatalogue,
  savePlan,
  savePack,
  savePricing,
  getCatalogueHistory: showHistory,
} satisfies Partial<Routes>;
