import type { CreditBucket } from '@rowmill/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { ClientLimitTable, CreditEntryTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

type CreditEntry = Insertable<CreditEntryTable>;

export async function ensureAccount(db: Db, userId: string): Promise<void> {
  await db
    .insertInto('credit_accounts')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function accountOf(db: Db, userId: string) {
  return db.selectFrom('credit_accounts').selectAll().where('user_id', '=', userId);
}

export async function findAccount(db: Db, userId: string) {
  return accountOf(db, userId).executeTakeFirst();
}

/** Returns the accounts that were not frozen before. */
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

export async function unfreezeAccountsExcept(
  db: Db,
  userIds: readonly string[],
): Promise<string[]> {
  const unfrozen = db
    .updateTable('credit_accounts')
    .set({ frozen_at: null })
    .where('frozen_at', 'is not', null)
    .$if(userIds.length > 0, (query) => query.where('user_id', 'not in', userIds));
  return (await unfrozen.returning('user_id').execute()).map(({ user_id }) => user_id);
}

export async function lockAccount(db: Db, userId: string) {
  return accountOf(db, userId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** False if this cause has an entry already. */
export async function insertEntry(db: Db, entry: CreditEntry): Promise<boolean> {
  const inserted = await db
    .insertInto('credit_entries')
    .values(entry)
    .onConflict((conflict) => conflict.constraint('credit_entries_cause').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** How much a cause has moved; 0 if nothing. */
export async function amountOf(
  db: Db,
  { userId, cause }: { userId: string; cause: string },
): Promise<number> {
  const entry = await db
    .selectFrom('credit_entries')
    .select('amount')
    .where('user_id', '=', userId)
    .where('cause', '=', cause)
    .executeTakeFirst();
  return entry?.amount ?? 0;
}

/** Changes both buckets in one statement. Undefined when one of them has too little. */
export async function moveBetweenBuckets(
  db: Db,
  { user_id, from_bucket, to_bucket, amount }: CreditEntry,
) {
  const changes = { [from_bucket]: -amount, [to_bucket]: amount } as Partial<
    Record<CreditBucket, number>
  >;
  let update = db.updateTable('credit_accounts').where('user_id', '=', user_id);
  for (const bucket of ['available', 'reserved', 'spent', 'debt'] as const) {
    const change = changes[bucket];
    if (change === undefined) continue;
    update = update.set((eb) => ({ [bucket]: eb(bucket, '+', change) }));
    if (change < 0) update = update.where(bucket, '>=', -change);
  }
  return update.returning(['available', 'debt']).executeTakeFirst();
}

/** Entry and buckets in one statement, for its frequency. False: too little is reserved. */
export async function spendReserved(
  db: Db,
  { id, at, user_id, amount, cause }: Omit<CreditEntry, 'from_bucket' | 'to_bucket'>,
): Promise<boolean> {
  const { rows } = await sql`
    with spent as (
      update credit_accounts set reserved = reserved - ${amount}, spent = spent + ${amount}
      where user_id = ${user_id} and reserved >= ${amount} returning user_id
    )
    insert into credit_entries (id, at, user_id, from_bucket, to_bucket, amount, cause)
    select ${id}, ${at}, user_id, 'reserved', 'spent', ${amount}, ${cause} from spent returning id`.execute(
    db,
  );
  return rows.length === 1;
}

/** Locks the accounts in a fixed order, so that two transactions cannot deadlock. */
export async function lockAccounts(db: Db, userIds: readonly string[]): Promise<void> {
  for (const userId of userIds.toSorted()) await ensureAccount(db, userId);
  await db
    .selectFrom('credit_accounts')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * What changed the submissions of a person, reserved ones included, oldest first; what they spent
 * in a row is one change. `isGiftFirst`: a gift with this prefix, its return, or spent.
 */
export async function listChanges(db: Db, { userId, prefix }: { userId: string; prefix: string }) {
  const { rows } = await sql<{ isGiftFirst: boolean; change: number }>`
    select bool_or(is_spent or is_gift) as "isGiftFirst", sum(change)::bigint as change
    from (
      select *, count(*) filter (where not is_spent) over (order by id) as turn
      from (
        select id, to_bucket = 'spent' as is_spent, starts_with(cause, ${prefix}) as is_gift,
          case when to_bucket = 'available' then amount else -amount end as change
        from credit_entries
        where user_id = ${userId} and (to_bucket = 'spent'
          or (from_bucket, to_bucket) in (('external', 'available'), ('available', 'external')))
      ) changes
    ) turns
    group by turn, is_spent order by turn, is_spent`.execute(db);
  return rows;
}

export async function sumSpentSince(
  db: Db,
  { userId, since }: { userId: string; since: Date },
): Promise<number> {
  const { sum } = await db
    .selectFrom('credit_entries')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('sum'))
    .where('user_id', '=', userId)
    .where('to_bucket', '=', 'spent')
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return sum;
}

/** What was spent from each of these instants until the next one, and from the last one on. */
export async function sumSpentPerDay(
  db: Db,
  { userId, days }: { userId: string; days: readonly Date[] },
): Promise<number[]> {
  const { rows } = await sql<{ day: number; sum: number }>`
    select width_bucket(at, array[${sql.join(days)}]::timestamptz[]) as day, sum(amount)::bigint as sum
    from credit_entries
    where user_id = ${userId} and to_bucket = 'spent' and at >= ${days[0]}
    group by 1`.execute(db);
  const sums = new Map(rows.map(({ day, sum }) => [day, sum]));
  return days.map((_, index) => sums.get(index + 1) ?? 0);
}

export async function ensureLimits(db: Db, userId: string): Promise<void> {
  await db
    .insertInto('client_limits')
    .values({ user_id: userId, monthly_limit: null, low_balance_at: defaultAlertLevel })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The alert level of new clients, until their admin changes it. */
const defaultAlertLevel = 20;

export async function findLimits(db: Db, userId: string) {
  return limitsOf(db, userId).executeTakeFirst();
}

/** Locks the limits of a person until the transaction ends. Most people have none. */
export async function lockLimits(db: Db, userId: string) {
  return limitsOf(db, userId).forNoKeyUpdate('client_limits').executeTakeFirst();
}

/** The monthly limit of an admin counts only as long as the client has one. */
function limitsOf(db: Db, userId: string) {
  return db
    .selectFrom('client_limits')
    .innerJoin('users', 'users.id', 'client_limits.user_id')
    .select(['low_balance_at', 'low_balance_notified_at'])
    .select(
      sql<number | null>`case when admin_id is not null then monthly_limit end`.as('monthly_limit'),
    )
    .where('user_id', '=', userId);
}

export async function updateLimits(db: Db, userId: string, changes: Updateable<ClientLimitTable>) {
  return db
    .updateTable('client_limits')
    .set(changes)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
