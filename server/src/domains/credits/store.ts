import type { CreditPot } from '@rowmill/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

export interface CreditEntry {
  id: string;
  at: Date;
  user_id: string;
  from_pot: CreditPot;
  to_pot: CreditPot;
  amount: number;
  /** Unique for a person: the same cause never moves anything twice. */
  cause: string;
}

export async function openAccount(db: Db, userId: string): Promise<void> {
  await db
    .insertInto('credit_accounts')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findAccount(db: Db, userId: string) {
  return db
    .selectFrom('credit_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Gives those that were not frozen before. */
export async function freezeAccounts(
  db: Db,
  { userIds, now }: { userIds: readonly string[]; now: Date },
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const frozen = db
    .updateTable('credit_accounts')
    .set({ frozen_at: now })
    .where('user_id', 'in', userIds);
  return (await frozen.where('frozen_at', 'is', null).returning('user_id').execute()).map(
    ({ user_id }) => user_id,
  );
}

export async function thawAccounts(db: Db, { but }: { but: readonly string[] }): Promise<string[]> {
  const thawed = db
    .updateTable('credit_accounts')
    .set({ frozen_at: null })
    .where('frozen_at', 'is not', null)
    .$if(but.length > 0, (query) => query.where('user_id', 'not in', but));
  return (await thawed.returning('user_id').execute()).map(({ user_id }) => user_id);
}

/** Nobody else changes it until the transaction ends. */
export async function lockAccount(db: Db, userId: string) {
  return db
    .selectFrom('credit_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** False when this cause has moved something already. */
export async function insertEntry(db: Db, entry: CreditEntry): Promise<boolean> {
  const inserted = await db
    .insertInto('credit_entries')
    .values(entry)
    .onConflict((conflict) => conflict.constraint('credit_entries_cause').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Adds to and takes from the pots in one statement, and gives them. Nothing is changed when one does not hold enough. */
export async function moveBetweenPots(db: Db, { user_id, from_pot, to_pot, amount }: CreditEntry) {
  const pots = { [from_pot]: -amount, [to_pot]: amount } as Partial<Record<CreditPot, number>>;
  let update = db.updateTable('credit_accounts').where('user_id', '=', user_id);
  for (const pot of ['available', 'held', 'spent', 'owed'] as const) {
    const change = pots[pot];
    if (change === undefined) continue;
    update = update.set((eb) => ({ [pot]: eb(pot, '+', change) }));
    if (change < 0) update = update.where(pot, '>=', -change);
  }
  return update.returning(['available', 'owed']).executeTakeFirst();
}

/** Entry and pots in one statement, for what happens many times a second. False when not so much is held. */
export async function spendHeld(db: Db, entry: CreditEntry): Promise<boolean> {
  const { id, at, user_id, amount, cause } = entry;
  const { rows } = await sql`
    with spent as (
      update credit_accounts set held = held - ${amount}, spent = spent + ${amount}
      where user_id = ${user_id} and held >= ${amount} returning user_id
    )
    insert into credit_entries (id, at, user_id, from_pot, to_pot, amount, cause)
    select ${id}, ${at}, user_id, 'held', 'spent', ${amount}, ${cause} from spent returning id`.execute(
    db,
  );
  return rows.length === 1;
}

export async function listEntries(db: Db, userId: string) {
  return db
    .selectFrom('credit_entries')
    .select(['at', 'from_pot', 'to_pot', 'amount', 'cause'])
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .execute();
}

/** Nobody else changes these accounts until the transaction ends. Always in the same order, so that two never wait for each other. */
export async function lockAccounts(db: Db, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds.toSorted()) await openAccount(db, userId);
  await db
    .selectFrom('credit_accounts')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute();
}

/** What the causes that begin so have brought to a person, less what they have taken from him. */
export async function sumByCause(
  db: Db,
  { userId, start }: { userId: string; start: string },
): Promise<number> {
  const { sum } = await db
    .selectFrom('credit_entries')
    .select(
      sql<number>`coalesce(sum(case when to_pot = 'available' then amount else -amount end), 0)::bigint`.as(
        'sum',
      ),
    )
    .where('user_id', '=', userId)
    .where(sql`starts_with(cause, ${start})`, '=', true)
    .executeTakeFirstOrThrow();
  return sum;
}

export async function sumSpentSince(
  db: Db,
  { userId, since }: { userId: string; since: Date },
): Promise<number> {
  const { sum } = await db
    .selectFrom('credit_entries')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('sum'))
    .where('user_id', '=', userId)
    .where('to_pot', '=', 'spent')
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return sum;
}

export async function openLimits(db: Db, userId: string): Promise<void> {
  await db
    .insertInto('client_limits')
    .values({ user_id: userId, monthly_limit: null, low_balance_at: lowBalance })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Below this a client's balance counts as low, unless his admin says otherwise. */
const lowBalance = 20;

/** The limits of a person, which nobody else reads to change until the transaction ends. Most people have none. */
export async function lockLimits(db: Db, userId: string) {
  return db
    .selectFrom('client_limits')
    .selectAll()
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateLimits(
  db: Db,
  userId: string,
  changes: {
    monthly_limit?: number | null;
    low_balance_at?: number | null;
    told_low_at?: Date | null;
  },
) {
  return db
    .updateTable('client_limits')
    .set(changes)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
