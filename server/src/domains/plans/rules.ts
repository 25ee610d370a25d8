import type { CreditPack, TaxIncluded, UserPlan } from '@rowmill/contract';
import type { PackRow, UserPlanRow } from './store.ts';

export function presentUserPlan({ started_at, ends_at, ...plan }: UserPlanRow): UserPlan {
  return { ...plan, started_at: started_at.toISOString(), ends_at: ends_at?.toISOString() ?? null };
}

/** Of rows by person, the current plan first. Older plans without an end are left out. */
export function presentUserPlans(rows: readonly UserPlanRow[], now: Date) {
  const plans: UserPlan[] = [];
  const next_plans: UserPlan[] = [];
  for (const row of rows) {
    if (plans.at(-1)?.user_id !== row.user_id) plans.push(presentUserPlan(row));
    else if (row.started_at > now) next_plans.push(presentUserPlan(row));
  }
  return { plans, next_plans };
}

/** Adds what each pack saves against the highest price per submission, rounded down. */
export function presentPacks(packs: readonly PackRow[]): CreditPack[] {
  const highestRate = Math.max(0, ...packs.map(({ rate_minor, count }) => rate_minor / count));
  return packs.map((pack) => ({
    ...pack,
    saving_percent:
      highestRate === 0
        ? 0
        : Math.floor(100 * (1 - pack.rate_minor / pack.count / highestRate) + 1e-9),
  }));
}

export function presentTax({
  name,
  basis_points,
}: {
  name: string;
  basis_points: number;
}): TaxIncluded {
  return { name, percent: basis_points / 100 };
}

interface RevokedPlan {
  started_at: Date;
  ends_at: Date | null;
  revoked_at: Date;
}

/** Of a plan that was taken and is given back, `others` being the end of those before it. */
export function endOfReturned(
  { started_at, ends_at, revoked_at }: RevokedPlan,
  { now, others }: { now: Date; others: Date | null },
): Date | null {
  if (!ends_at) return null;
  const latest = (...times: readonly Date[]) => Math.max(...times.map((time) => time.getTime()));
  const left = ends_at.getTime() - latest(started_at, revoked_at);
  return left > 0 ? new Date(latest(now, started_at, others ?? now) + left) : ends_at;
}
