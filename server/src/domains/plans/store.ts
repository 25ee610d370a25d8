import type { Db } from '../../db/transaction.ts';

const columns = ['id', 'name', 'price_minor', 'currency', 'period_days', 'submissions', 'features', 'highlighted'] as const;

export async function listPlans(db: Db) {
  return db.selectFrom('plans').select(columns).orderBy('position').execute();
}

export async function findPlan(db: Db, id: string) {
  return db.selectFrom('plans').select(columns).where('id', '=', id).executeTakeFirst();
}

export async function getPlan(db: Db, id: string) {
  return db.selectFrom('plans').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

/** The plan that a person has at this moment: the last one taken that has not ended. */
export async function findUserPlan(db: Db, { userId, now }: { userId: string; now: Date }) {
  return db
    .selectFrom('user_plans')
    .innerJoin('plans', 'plans.id', 'user_plans.plan_id')
    .select(columns.map((column) => `plans.${column}` as const))
    .select(['user_plans.user_id', 'user_plans.started_at', 'user_plans.ends_at'])
    .where('user_plans.user_id', '=', userId)
    .where((eb) => eb.or([eb('user_plans.ends_at', 'is', null), eb('user_plans.ends_at', '>', now)]))
    .orderBy('user_plans.started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export type UserPlanRow = NonNullable<Awaited<ReturnType<typeof findUserPlan>>>;

interface NewUserPlan {
  id: string;
  user_id: string;
  plan_id: string;
  started_at: Date;
  ends_at: Date | null;
}

export async function insertUserPlan(db: Db, plan: NewUserPlan): Promise<void> {
  await db.insertInto('user_plans').values(plan).execute();
}
