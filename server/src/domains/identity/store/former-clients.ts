import type { Db } from '../../../db/transaction.ts';

interface Pair {
  clientId: string;
  adminId: string;
}

export async function upsertFormerClient(
  db: Db,
  { clientId, adminId, now }: Pair & { now: Date },
): Promise<void> {
  await db
    .insertInto('former_clients')
    .values({ client_id: clientId, admin_id: adminId, left_at: now })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'admin_id']).doUpdateSet({ left_at: now }),
    )
    .execute();
}

export async function deleteFormerClient(db: Db, { clientId, adminId }: Pair): Promise<void> {
  await db
    .deleteFrom('former_clients')
    .where('client_id', '=', clientId)
    .where('admin_id', '=', adminId)
    .execute();
}

/** The limits that an admin set for a client end with them. */
export async function deleteLimits(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom('client_limits').where('user_id', '=', clientId).execute();
}

export async function isFormerClient(db: Db, { clientId, adminId }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('former_clients')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the rows, so that parallel calls release each client once. */
export async function listClientsOf(db: Db, adminId: string) {
  return db
    .selectFrom('users')
    .selectAll()
    .where('admin_id', '=', adminId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
