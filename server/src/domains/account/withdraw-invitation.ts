import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/account.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { countReturnable, takeBackCredits } from '../credits/gifts.ts';
import { lockOwnClient } from '../identity/accounts/clients.ts';
import { removeAccount } from './remove-account.ts';

/** Deletes the account that was made for the invited person, and takes back what is left in it. */
export const withdrawInvitation: Handler<'withdrawInvitation'> = async (ctx, actor, request) => {
  const email = await inTransaction(ctx, async (ctx) => {
    const client = await lockOwnClient(ctx, actor, request.user_id);
    if (!client) refuse('not_found');
    if (client.password_hash !== null) refuse('not_now', { message: texts.acceptedMeanwhile });
    await writeAuditEntry(ctx, { actor, subjectId: client.id }, 'invitation_withdrawn');
    await removeAccount(ctx, actor, {
      userId: client.id,
      reason: texts.invitationWithdrawn,
      moveBalance: async (ctx) => {
        const gifts = { adminId: actor.id, clientId: client.id };
        const amount = await countReturnable(ctx, gifts);
        if (amount > 0) await takeBackCredits(ctx, { ...gifts, amount });
      },
    });
    return client.email;
  });
  record(ctx, 'invitation_withdrawn', { user_id: request.user_id, actor_id: actor.id });
  return { message: texts.withdrawn(email) };
};
