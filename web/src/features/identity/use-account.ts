import { fetchUserDetail } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';

export const accountKey = ['account'] as const;

export function fetchAccount() {
  return call(fetchUserDetail, {});
}

export type Account = Awaited<ReturnType<typeof fetchAccount>>;

export function useAccount() {
  return useQuery({ queryKey: accountKey, queryFn: fetchAccount });
}
