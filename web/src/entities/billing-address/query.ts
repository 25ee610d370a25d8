import { type BillingAddress, userBillingAddress } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { queryOf, setQueryData } from '../../lib/api/query.ts';

/** Forms take their first values from it, so each page fetches it once and never replaces it. */
export function billingAddressQuery() {
  return queryOptions({
    ...queryOf(userBillingAddress, {}),
    select: ({ billing_address }) => billing_address,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function cacheBillingAddress(billing_address: BillingAddress): void {
  setQueryData(userBillingAddress, {}, { status: true, billing_address });
}
