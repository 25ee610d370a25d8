import type { RoleId } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { accountMail } from './jobs.ts';
import { insertUser, type UserRow } from './store/users.ts';

interface Invitation {
  first_name: string;
  last_name: string;
  email: string;
  phone?: string | undefined;
  roleId: RoleId;
  adminId: string | null;
  /** Who invites, by name. */
  from: string;
}

/** Makes a person without a password and mails him the way to set one. Undefined when the address is taken. */
export async function invitePerson(
  ctx: Context,
  invitation: Invitation,
): Promise<UserRow | undefined> {
  const now = ctx.clock.now();
  return inTransaction(ctx, async ({ db }) => {
    const user = await insertUser(db, {
      id: newId(now),
      email: invitation.email,
      first_name: invitation.first_name,
      last_name: invitation.last_name,
      phone: invitation.phone ?? '',
      password_hash: null,
      role_id: invitation.roleId,
      admin_id: invitation.adminId,
      email_verified_at: null,
      created_at: now,
    });
    if (user)
      await ctx.enqueue(
        db,
        accountMail({
          kind: 'invitation',
          email: user.email,
          userId: user.id,
          from: invitation.from,
        }),
      );
    return user;
  });
}
