import { type AnswerOf, type ClientSummary, getAvailableCredits } from '@rowmill/contract';
import { queryOf, setQueryData } from '../../lib/api/query.ts';

const balanceRequest = (user_id: string) => ({ creditUser: { user_id } });

export type Balance = Pick<AnswerOf<typeof getAvailableCredits>, 'creditsAvailable' | 'debt'>;

/** What a person can use, or owes; the progress stream keeps it up to date. */
export function balanceQuery(userId: string) {
  return queryOf(getAvailableCredits, balanceRequest(userId));
}

export function cacheBalance(userId: string, { creditsAvailable, debt }: Balance): void {
  const answer = { status: true as const, creditsAvailable, debt };
  setQueryData(getAvailableCredits, balanceRequest(userId), answer);
}

/** Below the balance at which the client and their admin get an alert. Invited people use none. */
export function hasLowBalance(client: ClientSummary): boolean {
  const { accepted, creditsAvailable, low_balance_at } = client;
  return accepted && low_balance_at !== null && creditsAvailable < low_balance_at;
}

/** From this number of submissions on, giving and taking asks first. */
export const largeAmount = 1_000;
