import type { LinkPurpose } from '@rowmill/contract';
import type { Db } from '../../../db/transaction.ts';

interface NewLink {
  id: string;
  user_id: string;
  purpose: LinkPurpose;
  token_hash: string;
  created_at: Date;
  expires_at: Date;
}

/** Older links of the same purpose stop working. */
export async function replaceLink(db: Db, link: NewLink): Promise<void> {
  await deleteLinks(db, { userId: link.user_id, purposes: [link.purpose] });
  await db.insertInto('email_links').values(link).execute();
}

/** Marks a link as used and returns it. Of parallel calls only one gets it. */
export async function consumeLink(
  db: Db,
  { tokenHash, purposes, now }: { tokenHash: string; purposes: readonly LinkPurpose[]; now: Date },
) {
  return db
    .updateTable('email_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'purpose'])
    .executeTakeFirst();
}

export async function findLink(
  db: Db,
  { tokenHash, purposes }: { tokenHash: string; purposes: readonly LinkPurpose[] },
) {
  return db
    .selectFrom('email_links')
    .select(['user_id', 'purpose', 'expires_at', 'used_at'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .executeTakeFirst();
}

/** Also of links that are used or expired. */
export async function hasLink(
  db: Db,
  { userId, purpose }: { userId: string; purpose: LinkPurpose },
): Promise<boolean> {
  const row = await db
    .selectFrom('email_links')
    .select('id')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLinks(
  db: Db,
  { userId, purposes }: { userId: string; purposes: readonly LinkPurpose[] },
): Promise<void> {
  await db
    .deleteFrom('email_links')
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .execute();
}

export async function deleteLinksExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('email_links').where('expires_at', '<', before).execute();
}
