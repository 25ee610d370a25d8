import { can, nameOf, roles } from '@rowmill/contract';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/clients.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { giveCredits } from '../credits/gifts.ts';
import { ensureLimits } from '../credits/store.ts';
import { findOwnClient, lockOwnClient } from '../identity/accounts/clients.ts';
import { invitePerson } from '../identity/accounts/invitations.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { revokeAllAccess } from '../identity/email-links.ts';
import { accountEmail } from '../identity/emails.ts';
import { lockRole } from '../identity/store/users.ts';
import { activateFreePlan } from '../plans/subscriptions.ts';
import { consumeRateLimit, rateLimits } from '../requests/rate-limits.ts';
import { listOwnClients } from './clients.ts';

/** Account, plan, gift and invitation: one transaction, so too few submissions prevent all. */
export const inviteClient: Handler<'addClient'> = async (ctx, actor, request) => {
  await consumeRateLimit(ctx, rateLimits.invitationPerAdmin, actor.id);
  const client = await inTransaction(ctx, async (ctx) => {
    const admin = await lockRole(ctx.db, actor.id);
    if (!admin || !can(admin.role_id, 'manageClients')) refuse('not_allowed');
    const from = nameOf(admin);
    const invited = await invitePerson(ctx, {
      ...request,
      roleId: roles.client,
      adminId: actor.id,
      from,
    });
    if (!invited) refuse('address_unavailable', texts.refused.address_unavailable);
    await ensureLimits(ctx.db, invited.id);
    if (request.plan)
      await activateFreePlan(ctx, {
        actorId: actor.id,
        subjectId: invited.id,
        planId: request.plan,
      });
    if (request.credits)
      await giveCredits(ctx, {
        adminId: actor.id,
        clientId: invited.id,
        amount: request.credits,
      });
    await writeAuditEntry(ctx, { actor, subjectId: invited.id }, 'client_invited');
    return invited;
  });
  record(ctx, 'client_invited', { user_id: client.id, actor_id: actor.id });
  const listing = { start: 0, limit: 1, search: client.id, sort: 'newest' } as const;
  const { users } = await listOwnClients(ctx, actor, listing);
  invariant(users[0], 'the invited person is in the list of clients');
  return { client: users[0], message: texts.invited(client.email) };
};

/** Signs the client out everywhere and emails a link. Only the client knows the password. */
export const resetClientPassword: Handler<'passwordResetByAdmin'> = async (ctx, actor, request) => {
  const client = await findOwnClient(ctx, actor, request.user_id);
  if (!client) refuse('not_found');
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, `client ${client.email}`);
  await inTransaction(ctx, async (ctx) => {
    if (!(await lockOwnClient(ctx, actor, client.id))) refuse('not_found');
    const { user: admin } = await getPerson(ctx, actor.id);
    const from = nameOf(admin);
    // A client who has not set a password yet gets a new invitation.
    const kind = client.password_hash ? 'reset_by_admin' : 'invitation';
    await revokeAllAccess(ctx, client.id);
    await writeAuditEntry(ctx, { actor, subjectId: client.id }, 'password_reset_by_admin');
    await ctx.enqueue(ctx.db, accountEmail({ kind, email: client.email, userId: client.id, from }));
  });
  record(ctx, 'client_password_reset', { user_id: client.id, actor_id: actor.id });
  return { message: texts.resetLinkSent(client.email) };
};
