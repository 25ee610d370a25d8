import type { openMailedLink, ParsedRequestOf, RoleId } from '@rowmill/contract';
import type { Visitor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { hashSecret, newId } from '../../../lib/ids.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { accountEmail } from '../jobs.ts';
import { findLink } from '../store/email-links.ts';
import { findUser, getUser, insertUser, type UserRow } from '../store/users.ts';

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
        accountEmail({
          kind: 'invitation',
          email: user.email,
          userId: user.id,
          from: invitation.from,
        }),
      );
    return user;
  });
}

/** Tells an invited person who invites him, before he sets a password. Looking does not use the link up. */
export async function showInvitation(
  ctx: Context,
  visitor: Visitor,
  { hash }: ParsedRequestOf<typeof openMailedLink>,
) {
  await consumeRateLimit(ctx, rateLimits.emailLinkPerNetwork, visitor.ip);
  const link = await findLink(ctx.db, { tokenHash: hashSecret(hash), purposes: ['invitation'] });
  if (!link || link.used_at || link.expires_at <= ctx.clock.now()) refuse('not_found');
  const person = await getUser(ctx.db, link.user_id);
  const admin = person.admin_id ? await findUser(ctx.db, person.admin_id) : undefined;
  const invitedBy = admin ? `${admin.first_name} ${admin.last_name}` : ctx.config.operator.product;
  return {
    purpose: link.purpose,
    data: { first_name: person.first_name, email: person.email, invited_by: invitedBy },
  };
}
