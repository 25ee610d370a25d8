import type { ClientSummary } from '@rowmill/contract';

/** Below the balance at which the client and their admin get an alert. */
export function hasLowBalance({ creditsAvailable, low_balance_at }: ClientSummary): boolean {
  return low_balance_at !== null && creditsAvailable < low_balance_at;
}
