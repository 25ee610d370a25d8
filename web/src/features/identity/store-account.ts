import { type BillingAddress, fetchUserDetail, type User } from '@rowmill/contract';
import { setQueryData } from '../../lib/api/query.ts';
import { asAdmin } from '../../lib/session.ts';
import { storage } from '../../lib/storage.ts';
import type { Account } from './use-account.ts';

/** Stores the account the server just returned, everywhere this browser caches it. */
export function storeAccount({
  user,
  pending_email,
}: Pick<Account, 'user' | 'pending_email'>): void {
  updateStoredUser(user);
  setQueryData(fetchUserDetail, {}, (account) => account && { ...account, user, pending_email });
}

export function updateStoredUser(user: User): void {
  storage.write('currentUser', user);
  // In Admin view the switched-as record is a copy of the admin.
  if (storage.read('switchedAs')?.role === 'Admin') storage.write('switchedAs', asAdmin(user));
}

export function storeBillingAddress(billing_address: BillingAddress): void {
  storage.write('billingAddress', billing_address);
  setQueryData(fetchUserDetail, {}, (account) => account && { ...account, billing_address });
}
