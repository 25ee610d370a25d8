import { nameOf, type RoleId } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { hashSecret, newId } from '../../../lib/ids.ts';
import { noSuchInvitation } from '../../../texts/identity.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { accountEmail } from '../emails.ts';
import { linkProblem } from '../rules.ts';
import { findLink } from '../store/email-links.ts';
import {
  findUser,
  getUser,
  insertUser,
  isEmailTaken,
  type UserRow,
  uniqueViolation,
  updateUser,
} from '../store/users.ts';

interface Invitation {
  first_name: string;
  last_name: string;
  email: string;
  phone?: string;
  roleId: RoleId;
  adminId: string | null;
  /** The name of the person who invites. */
  from: string;
}

/** Creates a person and emails a link to set a password. Undefined: the address is taken. */
export async function invitePerson(
  ctx: Context,
  { first_name, last_name, email, phone = '', roleId, adminId, from }: Invitation,
): Promise<UserRow | undefined> {
  const now = ctx.clock.now();
  return inTransaction(ctx, async ({ db }) => {
    const user = await insertUser(db, {
      id: newId(now),
      email,
      first_name,
      last_name,
      phone,
      role_id: roleId,
      admin_id: adminId,
      created_at: now,
    });
    if (user)
      await ctx.enqueue(db, accountEmail({ kind: 'invitation', email, userId: user.id, from }));
    return user;
  });
}

/** For a person who has not accepted. False: the address is taken. */
export async function moveInvitation({ db }: Context, id: string, email: string): Promise<boolean> {
  if (await isEmailTaken(db, email)) return false;
  await updateUser(db, id, { email }).catch((error) => {
    // Another person may take the address at the same moment.
    if (error.code === uniqueViolation) refuse('address_unavailable');
    throw error;
  });
  return true;
}

/** Shows an invited person who invited them. This does not use up the link. */
export const showInvitation: Handler<'openEmailLink'> = async (ctx, visitor, { hash }) => {
  await consumeRateLimit(ctx, rateLimits.emailLinkPerNetwork, visitor.ip);
  const link = await findLink(ctx.db, { tokenHash: hashSecret(hash), purposes: ['invitation'] });
  if (!link || linkProblem(link, ctx.clock.now()))
    refuse('not_found', { message: noSuchInvitation });
  const person = await getUser(ctx.db, link.user_id);
  const admin = person.admin_id ? await findUser(ctx.db, person.admin_id) : undefined;
  const invitedBy = admin ? nameOf(admin) : ctx.config.operator.product;
  return {
    purpose: 'invitation',
    data: { first_name: person.first_name, email: person.email, invited_by: invitedBy },
  };
};
