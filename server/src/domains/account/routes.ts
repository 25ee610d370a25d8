import type { Routes } from '../../core/handlers.ts';
import { deleteAccount, exportAccount, showAccount, showPlan } from './account.ts';

export const accountRoutes = {
  fetchUserDetail: showAccount,
  getUserPlan: showPlan,
  exportUserData: exportAccount,
  deleteUserAccount: deleteAccount,
} satisfies Partial<Routes>;
