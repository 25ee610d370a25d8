import { can, nameOf, roles } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/clients.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { giveCredits } from '../credits/gifts.ts';
import { ensureLimits } from '../credits/store.ts';
import { findOwnClient, lockOwnClient } from '../identity/accounts/clients.ts';
import { invitePerson, moveInvitation } from '../identity/accounts/invitations.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { revokeAllAccess } from '../identity/email-links.ts';
import { accountEmail } from '../identity/emails.ts';
import { findUserByEmail, lockUserShared } from '../identity/store/users.ts';
import { activateFreePlan } from '../plans/subscriptions.ts';
import { consumeRateLimit, rateLimits } from '../requests/rate-limits.ts';
import { listOwnClients } from './clients.ts';

/** Account, plan, gift and invitation: one transaction, so too few submissions prevent all. */
export const inviteClient: Handler<'addClient'> = async (ctx, actor, request) => {
  await countInvitation(ctx, request.email);
  const client = await inTransaction(ctx, async (ctx) => {
    const admin = await lockUserShared(ctx.db, actor.id);
    if (!admin || !can(admin.role_id, 'manageClients')) refuse('not_allowed');
    const from = nameOf(admin);
    const invited = await invitePerson(ctx, {
      ...request,
      roleId: roles.client,
      adminId: actor.id,
      from,
    });
    if (!invited) return refuseAddress(ctx, actor, request.email);
    await ensureLimits(ctx.db, invited.id);
    if (request.plan)
      await activateFreePlan(ctx, {
        actorId: actor.id,
        subjectId: invited.id,
        planId: request.plan,
      });
    if (request.credits)
      await giveCredits(ctx, { adminId: actor.id, clientId: invited.id, amount: request.credits });
    await writeAuditEntry(ctx, { actor, subjectId: invited.id }, 'client_invited');
    return invited;
  });
  record(ctx, 'client_invited', { user_id: client.id, actor_id: actor.id });
  const listing = { start: 0, limit: 1, search: client.id, sort: 'newest' } as const;
  const { users } = await listOwnClients(ctx, actor, listing);
  invariant(users[0], 'the invited person is in the list of clients');
  return { client: users[0], message: texts.invited(client.email) };
};

/** By address too: an invitation that is withdrawn or moved can be repeated. */
async function countInvitation(ctx: Context, email: string): Promise<void> {
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, `invitation ${email}`);
}

/** The admin knows their own clients. Who else has an account, they must not learn. */
async function refuseAddress(ctx: Context, actor: Actor, email: string): Promise<never> {
  const { fields } = texts.refused.address_unavailable;
  const known = await findUserByEmail(ctx.db, email);
  const isOwn = known?.admin_id === actor.id;
  refuse(
    'address_unavailable',
    isOwn ? { fields, message: texts.isYourClient(email) } : { fields },
  );
}

/**
 * Signs the client out everywhere and emails a link. Only the client knows the password. One who
 * has not set a password yet gets a new invitation, at another address if the first was wrong.
 */
export const resetClientPassword: Handler<'passwordResetByAdmin'> = async (ctx, actor, request) => {
  const found = await findOwnClient(ctx, actor, request.user_id);
  if (!found) refuse('not_found');
  const { email = found.email } = request;
  const isMoved = email !== found.email;
  if (isMoved) {
    await consumeRateLimit(ctx, rateLimits.invitationPerAdmin, actor.id);
    await countInvitation(ctx, email);
  }
  // By the present address: the new one may be that of another admin's client.
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, `client ${found.email}`);
  const isInvitation = await inTransaction(ctx, async (ctx) => {
    const client = await lockOwnClient(ctx, actor, found.id);
    if (!client) refuse('not_found');
    const { user: admin } = await getPerson(ctx, actor.id);
    const from = nameOf(admin);
    const isInvited = client.password_hash === null;
    // Who names an address wants to invite, not to sign a client out.
    if (request.email && !isInvited) refuse('not_now', { message: texts.hasAccepted });
    await revokeAllAccess(ctx, client.id);
    if (isMoved && !(await moveInvitation(ctx, client.id, email)))
      return refuseAddress(ctx, actor, email);
    const act = isInvited ? 'client_invited' : 'password_reset_by_admin';
    await writeAuditEntry(ctx, { actor, subjectId: client.id }, act);
    const kind = isInvited ? 'invitation' : 'reset_by_admin';
    await ctx.enqueue(ctx.db, accountEmail({ kind, email, userId: client.id, from }));
    return isInvited;
  });
  record(ctx, 'client_password_reset', { user_id: found.id, actor_id: actor.id });
  return { message: isInvitation ? texts.invited(email) : texts.resetLinkSent(email) };
};
