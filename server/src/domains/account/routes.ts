import type { Routes } from '../../handlers.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';
import { showAccount } from './show-account.ts';
import { showPlan } from './show-plan.ts';

export const accountRoutes = {
  fetchUserDetail: showAccount,
  getUserPlan: showPlan,
  exportUserData: exportAccount,
  deleteUserAccount: deleteAccount,
} satisfies Partial<Routes>;
