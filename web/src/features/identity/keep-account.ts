import type { BillingAddress, User } from '@rowmill/contract';
import type { QueryClient } from '@tanstack/react-query';
import { asAdmin } from '../../lib/session.ts';
import { storage } from '../../lib/storage.ts';
import { type Account, accountKey } from './use-account.ts';

/** What the server has just said of the signed-in person, wherever this browser keeps a copy of it. */
export function keepAccount(
  client: QueryClient,
  { user, pending_email }: Pick<Account, 'user' | 'pending_email'>,
): void {
  keepStoredUser(user);
  client.setQueryData<Account>(
    accountKey,
    (account) => account && { ...account, user, pending_email },
  );
}

export function keepStoredUser(user: User): void {
  storage.write('currentUser', user);
  // An admin who acts as himself has a copy there too; one who acts as a client has the client's.
  if (storage.read('switchedAs')?.role === 'Admin') storage.write('switchedAs', asAdmin(user));
}

export function keepBillingAddress(client: QueryClient, billing_address: BillingAddress): void {
  storage.write('billingAddress', billing_address);
  client.setQueryData<Account>(accountKey, (account) => account && { ...account, billing_address });
}
