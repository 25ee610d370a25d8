import type { Routes } from '../../core/handlers.ts';
import { savePack, savePlan, savePricing } from './edit-catalogue.ts';
import { showCatalogue, showHistory } from './view-catalogue.ts';

export const catalogueRoutes = {
  getCatalogue: showCatalogue,
  savePlan,
  savePack,
  savePricing,
  getCatalogueHistory: showHistory,
} satisfies Partial<Routes>;
