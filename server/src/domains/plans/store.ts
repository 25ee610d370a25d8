import { rolesThatCan } from '@rowmill/contract';
import { sql } from 'kysely';
import type { PlanTerms } from '../../db/billing-tables.ts';
import { currentFirst, mayBeCurrent } from '../../db/current-plan.ts';
import type { Db } from '../../db/transaction.ts';

const columns = [
  'id',
  'name',
  'price_minor',
  'currency',
  'period_days',
  'submissions',
  'features',
  'highlighted',
] as const;

/** Clients keep a plan that is withdrawn. */
function plansOnSale(db: Db) {
  return db.selectFrom('plans').select(columns).where('is_sold', '=', true);
}

export async function listPlans(db: Db) {
  return plansOnSale(db).orderBy('position').execute();
}

export async function findPlan(db: Db, id: string) {
  return plansOnSale(db).where('id', '=', id).executeTakeFirst();
}

export async function getPlan(db: Db, id: string) {
  return db.selectFrom('plans').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

/** A person's plan keeps the terms it had when they took or ordered it. */
function selectUserPlans(db: Db) {
  return db
    .selectFrom('user_plans')
    .innerJoin('plans', 'plans.id', 'user_plans.plan_id')
    .select(['plans.id', 'plans.highlighted', 'user_plans.terms'])
    .select(['user_plans.user_id', 'user_plans.started_at', 'user_plans.ends_at']);
}

export async function hasUserPlans(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_plans')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

function withTerms<Row extends { terms: PlanTerms }>({ terms, ...row }: Row) {
  return { ...row, ...terms };
}

function selectUnendedPlans(db: Db, now: Date) {
  return selectUserPlans(db).where(mayBeCurrent(now));
}

/** The current plan of a person, then the others that have not ended. */
export async function listUserPlans(db: Db, { userId, now }: { userId: string; now: Date }) {
  const rows = await selectUnendedPlans(db, now)
    .where('user_plans.user_id', '=', userId)
    .orderBy(currentFirst)
    .execute();
  return rows.map(withTerms);
}

export async function findUserPlan(db: Db, of: { userId: string; now: Date }) {
  return (await listUserPlans(db, of)).at(0);
}

export type UserPlanRow = NonNullable<Awaited<ReturnType<typeof findUserPlan>>>;

export async function findPlanOfOrder(db: Db, orderId: string) {
  const row = await selectUserPlans(db)
    .where('user_plans.order_id', '=', orderId)
    .executeTakeFirst();
  return row && withTerms(row);
}

/** The same for every client of an admin. */
export async function listPlansOfClients(db: Db, { adminId, now }: { adminId: string; now: Date }) {
  const rows = await selectUnendedPlans(db, now)
    .innerJoin('users', 'users.id', 'user_plans.user_id')
    .where('users.admin_id', '=', adminId)
    .where('users.deleted_at', 'is', null)
    .orderBy('user_plans.user_id')
    .orderBy(currentFirst)
    .execute();
  return rows.map(withTerms);
}

/** Locks their rows until the transaction ends. */
export async function lockOperators(db: Db) {
  return db
    .selectFrom('users')
    .select('id')
    .where('role_id', 'in', rolesThatCan('viewInstallation'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** When the last of a person's plans ends, started or not. */
export async function findLastEnd(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<Date | null> {
  const { end } = await db
    .selectFrom('user_plans')
    .select((eb) => eb.fn.max('ends_at').as('end'))
    .where('user_id', '=', userId)
    .where('ends_at', '>', now)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return end;
}

/** The terms of a plan: as ordered, else as sold now. */
async function getTerms(
  db: Db,
  { planId, orderId }: { planId: string; orderId: string | null },
): Promise<PlanTerms> {
  return db
    .selectFrom('plans')
    .leftJoin('orders', (join) => join.on('orders.id', '=', orderId ?? ''))
    .select(['plans.name', 'plans.features'])
    .select(({ fn }) => [
      fn.coalesce('orders.total_minor', 'plans.price_minor').as('price_minor'),
      fn.coalesce('orders.currency', 'plans.currency').as('currency'),
      fn.coalesce('orders.period_days', 'plans.period_days').as('period_days'),
      fn.coalesce('orders.submissions', 'plans.submissions').as('submissions'),
    ])
    .where('plans.id', '=', planId)
    .executeTakeFirstOrThrow();
}

interface NewUserPlan {
  id: string;
  user_id: string;
  plan_id: string;
  order_id: string | null;
  started_at: Date;
  ends_at: Date | null;
}

export async function insertUserPlan(db: Db, plan: NewUserPlan): Promise<PlanTerms> {
  const terms = await getTerms(db, { planId: plan.plan_id, orderId: plan.order_id });
  await db
    .insertInto('user_plans')
    .values({ ...plan, terms: JSON.stringify(terms) })
    .execute();
  return terms;
}

export async function findPeriodOfOrder(db: Db, orderId: string) {
  return db
    .selectFrom('user_plans')
    .select(['user_id', 'started_at', 'ends_at', 'revoked_at'])
    .where('order_id', '=', orderId)
    .executeTakeFirst();
}

export async function setPlanRevoked(
  db: Db,
  { orderId, ...change }: { orderId: string; revoked_at: Date | null; ends_at: Date | null },
): Promise<void> {
  await db
    .updateTable('user_plans')
    .set({ ...change, reminded_at: null })
    .where('order_id', '=', orderId)
    .execute();
}

/** When the last of a person's plans ends that was paid since then, or was given back. */
export async function findEndOfOthers(
  db: Db,
  { userId, since }: { userId: string; since: Date },
): Promise<Date | null> {
  const { end } = await db
    .selectFrom('user_plans')
    .innerJoin('orders', 'orders.id', 'user_plans.order_id')
    .select((eb) => eb.fn.max('user_plans.ends_at').as('end'))
    .where('user_plans.user_id', '=', userId)
    .where('user_plans.revoked_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('orders.paid_at', '>=', since),
        // It was moved.
        sql<boolean>`user_plans.ends_at >
          user_plans.started_at + make_interval(hours => 24 * (user_plans.terms ->> 'period_days')::int)`,
      ]),
    )
    .executeTakeFirstOrThrow();
  return end;
}

/** Marks plans that end soon with no other to follow, so that each person is reminded once. */
export async function markEndingPlans(db: Db, { now, until }: { now: Date; until: Date }) {
  return db
    .updateTable('user_plans')
    .set({ reminded_at: now })
    .where('ends_at', '>', now)
    .where('ends_at', '<=', until)
    .where('reminded_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('id')
        .where('deleted_at', 'is', null)
        .where('suspended_at', 'is', null),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user_plans as next')
            .select('next.id')
            .whereRef('next.user_id', '=', 'user_plans.user_id')
            .whereRef('next.ends_at', '>', 'user_plans.ends_at')
            .where('next.revoked_at', 'is', null),
        ),
      ),
    )
    .returning(['id', 'user_id', 'plan_id', 'terms', 'ends_at'])
    .execute();
}

export async function listPacks(db: Db) {
  return db
    .selectFrom('packs')
    .select(['id', 'name', 'count', 'rate_minor', 'currency'])
    .where('is_sold', '=', true)
    .orderBy('position')
    .execute();
}

export type PackRow = Awaited<ReturnType<typeof listPacks>>[number];

export async function getTax(db: Db) {
  return db.selectFrom('tax').select(['name', 'basis_points']).executeTakeFirstOrThrow();
}
