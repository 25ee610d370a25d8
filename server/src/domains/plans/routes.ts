import type { Routes } from '../../handlers.ts';
import { listPlans } from './store.ts';
import { takePlan } from './take-plan.ts';

export const planRoutes = {
  getPlans: async (ctx) => ({ plans: await listPlans(ctx.db) }),
  setPlan: takePlan,
} satisfies Partial<Routes>;
