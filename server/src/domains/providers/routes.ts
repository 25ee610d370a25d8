import type { Routes } from '../../core/handlers.ts';
import { showCosts } from './costs.ts';
import { saveModel, saveProvider, showProviders } from './edit-providers.ts';
import { testProvider } from './test-provider.ts';

export const providerRoutes = {
  getCosts: showCosts,
  getProviders: showProviders,
  saveProvider,
  saveModel,
  testProvider,
} satisfies Partial<Routes>;
