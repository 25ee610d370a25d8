import type { Endpoint } from '@rowmill/contract';
import type { Db } from './transaction.ts';

const tables = { batch: 'batches', sheet: 'sheets', order: 'orders' } as const;

/** The owner of a record. The session gate asks before the call has a scope. */
export async function findOwner(
  db: Db,
  { a, id }: { a: NonNullable<Endpoint['names']>['a']; id: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom(tables[a])
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Lets the deletion of an account wait until the transaction ends. False: it is deleted, so nothing
 * more may be stored about the person. Taken before other locks, as the deletion locks the person.
 */
export async function lockOwner(db: Db, userId: string): Promise<boolean> {
  const owner = db.selectFrom('users').select('id').where('id', '=', userId);
  return (await owner.where('deleted_at', 'is', null).forShare().executeTakeFirst()) !== undefined;
}
