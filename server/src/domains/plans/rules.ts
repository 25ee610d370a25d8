import type { UserPlan } from '@rowmill/contract';
import type { UserPlanRow } from './store.ts';

export function presentUserPlan({ started_at, ends_at, ...plan }: UserPlanRow): UserPlan {
  return { ...plan, started_at: started_at.toISOString(), ends_at: ends_at?.toISOString() ?? null };
}
