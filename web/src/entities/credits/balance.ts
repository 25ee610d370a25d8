import { type ClientSummary, getAvailableCredits } from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';

export const balanceRequest = (user_id: string) => ({ creditUser: { user_id } });

/** The submissions a person can use; the progress stream keeps them up to date. */
export function balanceQuery(userId: string) {
  return {
    ...queryOf(getAvailableCredits, balanceRequest(userId)),
    select: ({ creditsAvailable }: { creditsAvailable: number }) => creditsAvailable,
  };
}

/** Below the balance at which the client and their admin get an alert. */
export function hasLowBalance({ creditsAvailable, low_balance_at }: ClientSummary): boolean {
  return low_balance_at !== null && creditsAvailable < low_balance_at;
}

/** From this number of submissions on, giving and taking asks first. */
export const largeAmount = 1_000;
