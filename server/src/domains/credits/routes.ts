import type { Routes } from '../../handlers.ts';
import { getBalance } from './get-balance.ts';

export const creditRoutes = {
  getAvailableCredits: async (ctx, acting) => ({
    creditsAvailable: await getBalance(ctx, acting.subjectId),
  }),
} satisfies Partial<Routes>;
