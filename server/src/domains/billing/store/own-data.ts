import type { Db } from '../../../db/transaction.ts';
import type { OrderRow } from './orders.ts';

export async function listOrdersOf(db: Db, userId: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** In one order, as whoever settles several would take them. */
export async function lockOrdersOf(db: Db, userId: string): Promise<void> {
  await db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function blankAddressesOf(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ billing_address: '{}' })
    .where('user_id', '=', userId)
    .execute();
}
