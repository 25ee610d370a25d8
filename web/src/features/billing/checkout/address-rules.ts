import type { BillingAddress } from '@rowmill/contract';
import * as texts from '../../../texts/billing.ts';

/** Fields that an invoice requires. */
const needed = texts.addressNeeds satisfies Partial<Record<keyof BillingAddress, string>>;

/** Missing fields by form field name. A company can replace a person's name. */
export function missingIn(address: BillingAddress): Record<string, string> {
  const missing = Object.entries(needed).filter(
    ([field]) => !isGiven(address, field as keyof BillingAddress),
  );
  return Object.fromEntries(missing.map(([field, words]) => [`billing_address.${field}`, words]));
}

function isGiven(address: BillingAddress, field: keyof BillingAddress): boolean {
  if (field === 'name') return !!(address.name?.trim() || address.company?.trim());
  return !!address[field]?.trim();
}
