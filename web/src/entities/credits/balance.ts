import { getAvailableCredits } from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';

export const balanceRequest = (user_id: string) => ({ creditUser: { user_id } });

/** The submissions a person can use; the progress stream keeps them up to date. */
export function balanceQuery(userId: string) {
  return {
    ...queryOf(getAvailableCredits, balanceRequest(userId)),
    select: ({ creditsAvailable }: { creditsAvailable: number }) => creditsAvailable,
  };
}
