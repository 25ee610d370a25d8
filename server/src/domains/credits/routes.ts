import type { Routes } from '../../core/handlers.ts';
import { getBalance } from './ledger.ts';

export const creditRoutes = {
  getAvailableCredits: async (ctx, acting) => ({
    creditsAvailable: await getBalance(ctx, acting.subjectId),
  }),
} satisfies Partial<Routes>;
