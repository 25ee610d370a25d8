import { type AnswerOf, fetchUserDetail } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';

export type Account = AnswerOf<typeof fetchUserDetail>;

export function useAccount() {
  return useQuery(queryOf(fetchUserDetail, {}));
}
