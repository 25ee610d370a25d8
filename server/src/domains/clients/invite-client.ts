import { type addClient, type ClientSummary, type ParsedRequestOf, roles } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { giveCredits } from '../credits/give-credits.ts';
import { getPerson } from '../identity/get-person.ts';
import { invitePerson } from '../identity/invite-person.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';

/** Person, gift and invitation are one: without enough submissions to give, nobody is invited. */
export async function inviteClient(ctx: Context, actor: Actor, request: ParsedRequestOf<typeof addClient>) {
  await countTry(ctx, limits.inviteByAdmin, actor.id);
  const client = await inTransaction(ctx, async (inside) => {
    const { user: admin } = await getPerson(inside, actor.id);
    const from = `${admin.first_name} ${admin.last_name}`;
    const invited = await invitePerson(inside, { ...request, roleId: roles.client, adminId: actor.id, from });
    if (!invited) refuse('address_unavailable', { fields: { email: 'This address cannot be added.' } });
    if (request.credits) await giveFrom(inside, actor, { toUserId: invited.id, amount: request.credits });
    await writeAuditEntry(inside, { actorId: actor.id, subjectId: invited.id, act: 'client_invited' });
    return invited;
  });
  record(ctx, 'client_invited', { user_id: client.id, actor_id: actor.id });
  return { client: summaryOf(client, request.credits ?? 0), message: `${client.email} is invited.` };
}

async function giveFrom(ctx: Context, actor: Actor, { toUserId, amount }: { toUserId: string; amount: number }): Promise<void> {
  await giveCredits(ctx, { fromUserId: actor.id, toUserId, amount, cause: `gift:${newId(ctx.clock.now())}` });
}

function summaryOf(
  person: { id: string; first_name: string; last_name: string; email: string; phone: string },
  credits: number,
): ClientSummary {
  const { id, first_name, last_name, email, phone } = person;
  const fresh = { email_verified_at: null, accepted: false, plan: null, last_seen_at: null };
  return { id, first_name, last_name, email, phone, ...fresh, creditsAvailable: credits };
}
