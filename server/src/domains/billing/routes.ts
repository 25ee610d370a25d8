import type { Routes } from '../../handlers.ts';
import { keepBillingAddress } from './keep-billing-address.ts';

export const billingRoutes = { userBillingAddress: keepBillingAddress } satisfies Partial<Routes>;
