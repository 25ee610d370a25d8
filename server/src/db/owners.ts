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
