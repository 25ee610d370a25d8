import { type BillingAddress, fetchUserDetail, type User } from '@rowmill/contract';
import { setQueryData } from '../../lib/api/query.ts';
import { asAdmin } from '../../lib/session.ts';
import { storage } from '../../lib/storage.ts';
import type { Account } from './use-account.ts';

/** What the server has just said of the signed-in person, wherever this browser keeps a copy of it. */
export function keepAccount({
  user,
  pending_email,
}: Pick<Account, 'user' | 'pending_email'>): void {
  keepStoredUser(user);
  setQueryData(fetchUserDetail, {}, (account) => account && { ...account, user, pending_email });
}

export function keepStoredUser(user: User): void {
  storage.write('currentUser', user);
  // An admin who acts as himself has a copy there too; one who acts as a client has the client's.
  if (storage.read('switchedAs')?.role === 'Admin') storage.write('switchedAs', asAdmin(user));
}

export function keepBillingAddress(billing_address: BillingAddress): void {
  storage.write('billingAddress', billing_address);
  setQueryData(fetchUserDetail, {}, (account) => account && { ...account, billing_address });
}
