import { type Insertable, sql, type Updateable } from 'kysely';
import type { PackTable, PlanTable } from '../../db/billing-tables.ts';
import { currentFirst, mayBeCurrent } from '../../db/current-plan.ts';
import type { Page } from '../../db/lists.ts';
import type { Db } from '../../db/transaction.ts';

const listed = ['currency', 'position', 'is_sold', 'version'] as const;
const packColumns = ['id', 'name', 'count', 'rate_minor', ...listed] as const;
const planColumns = [
  'id',
  'name',
  'price_minor',
  'period_days',
  'submissions',
  'features',
  'highlighted',
  ...listed,
] as const;
const pricingColumns = ['currency', 'name as tax_name', 'basis_points', 'version'] as const;

/** Every plan, with the number of people whose current plan it is. */
function selectPlans(db: Db, now: Date) {
  const holders = sql<number>`(
    select count(*) from (
      select distinct on (user_id) plan_id from user_plans join users on users.id = user_id
      where ${mayBeCurrent(now)} and deleted_at is null order by user_id, ${currentFirst}
    ) as present where present.plan_id = plans.id)`;
  return db.selectFrom('plans').select(planColumns).select(holders.as('holders'));
}

export async function listAllPlans(db: Db, now: Date) {
  return selectPlans(db, now).orderBy('position').orderBy('id').execute();
}

export async function getCataloguePlan(db: Db, { id, now }: { id: string; now: Date }) {
  return selectPlans(db, now).where('plans.id', '=', id).executeTakeFirstOrThrow();
}

export async function lockPlan(db: Db, id: string) {
  const plan = db.selectFrom('plans').select(planColumns).where('id', '=', id);
  return plan.forUpdate().executeTakeFirst();
}

export async function insertPlan(db: Db, plan: Insertable<PlanTable>): Promise<void> {
  await db.insertInto('plans').values(plan).execute();
}

export async function updatePlan(db: Db, id: string, change: Updateable<PlanTable>): Promise<void> {
  await db.updateTable('plans').set(change).where('id', '=', id).execute();
}

export async function listAllPacks(db: Db) {
  return db.selectFrom('packs').select(packColumns).orderBy('position').orderBy('id').execute();
}

export async function getCataloguePack(db: Db, id: string) {
  return db.selectFrom('packs').select(packColumns).where('id', '=', id).executeTakeFirstOrThrow();
}

export async function lockPack(db: Db, id: string) {
  const pack = db.selectFrom('packs').select(packColumns).where('id', '=', id);
  return pack.forUpdate().executeTakeFirst();
}

export async function insertPack(db: Db, pack: Insertable<PackTable>): Promise<void> {
  await db.insertInto('packs').values(pack).execute();
}

export async function updatePack(db: Db, id: string, change: Updateable<PackTable>): Promise<void> {
  await db.updateTable('packs').set(change).where('id', '=', id).execute();
}

export async function isNameTaken(
  db: Db,
  table: 'plans' | 'packs',
  { name, exceptId }: { name: string; exceptId: string | undefined },
): Promise<boolean> {
  const found = await db
    .selectFrom(table)
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('is_sold', '=', true)
    .where('id', '<>', exceptId ?? '')
    .executeTakeFirst();
  return found !== undefined;
}

export async function countOnSale(db: Db, table: 'plans' | 'packs'): Promise<number> {
  const { sold } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('sold'))
    .where('is_sold', '=', true)
    .executeTakeFirstOrThrow();
  return sold;
}

export async function getPricing(db: Db) {
  return db.selectFrom('tax').select(pricingColumns).executeTakeFirstOrThrow();
}

/** Every change of the catalogue takes this lock first: none is saved in an old currency. */
export async function lockPricing(db: Db) {
  return db.selectFrom('tax').select(pricingColumns).forUpdate().executeTakeFirstOrThrow();
}

interface NewPricing {
  currency: string;
  tax_name: string;
  basis_points: number;
}

export async function updateTax(
  db: Db,
  { currency, tax_name, basis_points }: NewPricing,
): Promise<void> {
  await db.updateTable('tax').set({ currency, name: tax_name, basis_points }).execute();
}

/** Includes withdrawn items, so that none returns in an old currency. */
export async function setCurrency(db: Db, currency: string): Promise<void> {
  await db.updateTable('plans').set({ currency }).where('currency', '<>', currency).execute();
  await db.updateTable('packs').set({ currency }).where('currency', '<>', currency).execute();
}

/** Tells the history's trigger, until the transaction ends, who makes the change and when. */
export async function setEditor(
  db: Db,
  { actorId, at }: { actorId: string; at: Date },
): Promise<void> {
  await sql`select set_config('rowmill.editor', ${actorId}, true), set_config('rowmill.edited_at', ${at.toISOString()}, true)`.execute(
    db,
  );
}

export async function listChanges(db: Db, { start, limit }: Page) {
  return db
    .selectFrom('catalogue_history as change')
    .leftJoin('users', 'users.id', 'change.actor_id')
    .select(['change.id', 'change.at', 'item', 'item_id', 'before', 'after', 'actor_id'])
    .select(sql<string | null>`users.first_name || ' ' || users.last_name`.as('actor_name'))
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy('change.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

export type ChangeRow = Awaited<ReturnType<typeof listChanges>>[number];
