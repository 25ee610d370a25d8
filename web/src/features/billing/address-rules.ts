import type { BillingAddress } from '@rowmill/contract';

/** What an invoice cannot do without. */
const needed = {
  name: 'Please enter the name for the invoice.',
  line1: 'Please enter the address.',
  city: 'Please enter the town.',
  country: 'Please choose a country.',
} as const satisfies Partial<Record<keyof BillingAddress, string>>;

/** What is missing, by the names that the fields of the form bear. A company may stand in for the name of a person. */
export function missingIn(address: BillingAddress): Record<string, string> {
  const missing = Object.entries(needed).filter(([field]) => !isGiven(address, field as keyof BillingAddress));
  return Object.fromEntries(missing.map(([field, words]) => [`billing_address.${field}`, words]));
}

function isGiven(address: BillingAddress, field: keyof BillingAddress): boolean {
  if (field === 'name') return !!(address.name?.trim() || address.company?.trim());
  return !!address[field]?.trim();
}
