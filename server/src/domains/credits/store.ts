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
  return db.selectFrom('credit_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst();
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

/** Adds to and takes from the pots in one statement. False when a pot does not hold enough; nothing is changed then. */
export async function moveBetweenPots(db: Db, { user_id, from_pot, to_pot, amount }: CreditEntry): Promise<boolean> {
  const pots = { [from_pot]: -amount, [to_pot]: amount } as Partial<Record<CreditPot, number>>;
  let update = db.updateTable('credit_accounts').where('user_id', '=', user_id);
  for (const pot of ['available', 'held', 'spent', 'owed'] as const) {
    const change = pots[pot];
    if (change === undefined) continue;
    update = update.set((eb) => ({ [pot]: eb(pot, '+', change) }));
    if (change < 0) update = update.where(pot, '>=', -change);
  }
  const result = await update.executeTakeFirst();
  return result.numUpdatedRows > 0n;
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
    select ${id}, ${at}, user_id, 'held', 'spent', ${amount}, ${cause} from spent returning id`.execute(db);
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
