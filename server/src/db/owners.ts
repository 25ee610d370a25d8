import type { Endpoint } from '@rowmill/contract';
import type { Db } from './transaction.ts';

const tables = { batch: 'batches', sheet: 'sheets', order: 'orders' } as const;

/** Whose the thing with this id is. The gate asks it to find out for whom a call runs; the call's own scope comes after. */
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
