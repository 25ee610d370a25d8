import type { BillingAddress } from '@rowmill/contract';
import type { Db } from '../../../db/transaction.ts';

export async function findBillingAddress(
  db: Db,
  userId: string,
): Promise<BillingAddress | undefined> {
  const row = await db
    .selectFrom('billing_addresses')
    .select('address')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.address;
}

export async function saveBillingAddress(
  db: Db,
  { userId, address }: { userId: string; address: BillingAddress },
): Promise<void> {
  const value = JSON.stringify(address);
  await db
    .insertInto('billing_addresses')
    .values({ user_id: userId, address: value })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ address: value }))
    .execute();
}

export async function deleteBillingAddress(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('billing_addresses').where('user_id', '=', userId).execute();
}
