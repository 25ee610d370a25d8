import type { ClientSummary } from '@rowmill/contract';

/** Below the balance at which he and his admin want to be told. */
export function hasLowBalance({ creditsAvailable, low_balance_at }: ClientSummary): boolean {
  return low_balance_at !== null && creditsAvailable < low_balance_at;
}
