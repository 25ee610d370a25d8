import type { Routes } from '../../core/handlers.ts';
import { deleteAccount, showAccount, showPlan } from './account.ts';
import { exportAccount } from './export.ts';

export const accountRoutes = {
  fetchUserDetail: showAccount,
  getUserPlan: showPlan,
  exportUserData: exportAccount,
  deleteUserAccount: deleteAccount,
} satisfies Partial<Routes>;
