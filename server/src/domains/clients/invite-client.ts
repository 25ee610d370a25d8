import { type addClient, type ParsedRequestOf, roles } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { invariant, refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { giveCredits } from '../credits/give-credits.ts';
import { ensureLimits } from '../credits/store.ts';
import { getPerson } from '../identity/get-person.ts';
import { invitePerson } from '../identity/invite-person.ts';
import { activateFreePlan } from '../plans/take-plan.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { listOwnClients } from './list-own-clients.ts';

/** Person, free plan, gift and invitation are one: without enough submissions to give, nobody is invited. */
export async function inviteClient(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof addClient>,
) {
  await consumeRateLimit(ctx, limits.inviteByAdmin, actor.id);
  const client = await inTransaction(ctx, async (inside) => {
    const { user: admin } = await getPerson(inside, actor.id);
    const from = `${admin.first_name} ${admin.last_name}`;
    const invited = await invitePerson(inside, {
      ...request,
      roleId: roles.client,
      adminId: actor.id,
      from,
    });
    if (!invited)
      refuse('address_unavailable', { fields: { email: 'This address cannot be added.' } });
    await ensureLimits(inside.db, invited.id);
    if (request.plan)
      await activateFreePlan(inside, {
        actorId: actor.id,
        subjectId: invited.id,
        planId: request.plan,
      });
    if (request.credits)
      await giveCredits(inside, {
        adminId: actor.id,
        clientId: invited.id,
        amount: request.credits,
      });
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: invited.id,
      act: 'client_invited',
    });
    return invited;
  });
  record(ctx, 'client_invited', { user_id: client.id, actor_id: actor.id });
  const { users } = await listOwnClients(ctx, actor, { start: 0, limit: 1, search: client.id });
  invariant(users[0], 'who was just invited is among the clients');
  return { client: users[0], message: `${client.email} is invited.` };
}
