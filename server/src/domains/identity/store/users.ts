import { type RoleId, rolesThatCan } from '@rowmill/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { UserTable } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';

export type UserRow = Selectable<UserTable>;

/** The code of the database when another person has the address. */
export const uniqueViolation = '23505';

/** Undefined when the address is taken. */
export async function insertUser(db: Db, user: Insertable<UserTable>) {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

function userById(db: Db, id: string) {
  return db.selectFrom('users').selectAll().where('id', '=', id);
}

export async function findUser(db: Db, id: string) {
  return userById(db, id).where('deleted_at', 'is', null).executeTakeFirst();
}

export async function getUser(db: Db, id: string) {
  return userById(db, id).executeTakeFirstOrThrow();
}

/** Locks the row until the transaction ends. */
export async function lockUser(db: Db, id: string) {
  return userById(db, id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** The person's role and address stay, and the person, until the transaction ends. */
export async function lockUserShared(db: Db, id: string) {
  return userById(db, id).where('deleted_at', 'is', null).forShare().executeTakeFirst();
}

export async function updateUser(db: Db, id: string, changes: Omit<Updateable<UserTable>, 'id'>) {
  return db
    .updateTable('users')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Undefined when the hash has changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  id: string,
  { from, to }: { from: string; to: string },
) {
  return db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .returningAll()
    .executeTakeFirst();
}

/** People with this role who can sign in. */
export async function listByRole(db: Db, roleId: RoleId) {
  return db
    .selectFrom('users')
    .selectAll()
    .where('role_id', '=', roleId)
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .orderBy('created_at')
    .execute();
}

interface ClientOf {
  adminId: string;
  clientId: string;
}

/** The statement itself checks that this is a client of the admin. */
export async function findClientOf(db: Db, ids: ClientOf) {
  return clientOf(db, ids).executeTakeFirst();
}

/** The client stays one of the admin until the transaction ends. */
export async function lockClientOf(db: Db, ids: ClientOf) {
  return clientOf(db, ids).forNoKeyUpdate().executeTakeFirst();
}

function clientOf(db: Db, { adminId, clientId }: ClientOf) {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', clientId)
    .where('admin_id', '=', adminId)
    .where('role_id', 'in', rolesThatCan('belongToAdmin'))
    .where('deleted_at', 'is', null);
}

/** Deletes people without a verified address and other data. Returns how many. */
export async function deleteUnverified(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const unused = db
    .selectFrom('users')
    .select('users.id')
    .where('email_verified_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('users.created_at', '<', before)
    .where(({ and, exists, not, selectFrom }) => {
      const isEmpty = (table: 'sessions' | 'email_links' | 'audit_entries', column: string) =>
        not(exists(selectFrom(table).where(sql.ref(column), '=', sql.ref('users.id'))));
      return and([
        isEmpty('sessions', 'user_id'),
        isEmpty('email_links', 'user_id'),
        // Whatever else was done to a person, such as an invitation, has an entry.
        isEmpty('audit_entries', 'subject_id'),
      ]);
    })
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('id', 'in', unused)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}
