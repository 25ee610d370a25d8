import { sql } from 'kysely';
import { isOneOf } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';

interface Pair {
  clientId: string;
  adminId: string;
}

/** The limits that an admin set for a client end with them. */
export async function setAdminOf(
  db: Db,
  clientIds: readonly string[],
  adminId: string | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ admin_id: adminId })
    .where(isOneOf('id', clientIds))
    .execute();
  await db.deleteFrom('client_limits').where(isOneOf('user_id', clientIds)).execute();
}

export async function upsertFormerClients(
  db: Db,
  { clientIds, adminId, now }: { clientIds: readonly string[]; adminId: string; now: Date },
): Promise<void> {
  await sql`
    insert into former_clients (client_id, admin_id, left_at)
    select client_id, ${adminId}::text, ${now}::timestamptz
    from unnest(${sql.val(clientIds)}::text[]) as client_id
    on conflict (client_id, admin_id) do update set left_at = excluded.left_at`.execute(db);
}

export async function deleteFormerClients(
  db: Db,
  { clientIds, adminId }: { clientIds: readonly string[]; adminId: string },
): Promise<void> {
  await db
    .deleteFrom('former_clients')
    .where(isOneOf('client_id', clientIds))
    .where('admin_id', '=', adminId)
    .execute();
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

/** Locks them, so that parallel calls release each client once, and returns their ids. */
export async function lockClientsOf(db: Db, adminId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('admin_id', '=', adminId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
