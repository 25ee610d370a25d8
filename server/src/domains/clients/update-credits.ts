import { type ParsedRequestOf, roles, type updateCreditCount } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { settlePaidOrders } from '../billing/settle-paid-orders.ts';
import { getBalance } from '../credits/get-balance.ts';
import { giveCredits, takeBackCredits } from '../credits/give-credits.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { findOwnClient } from '../identity/find-own-client.ts';
import { findUser } from '../identity/store/users.ts';

type Request = ParsedRequestOf<typeof updateCreditCount>;

interface Change {
  userId: string;
  change: number;
  reason: string;
}

/**
 * Three calls of one name. A client's only asks for what he has paid for, and no number in it changes anything; an admin
 * gives from his own balance, or takes back what he gave; an operator puts a balance right, and says why.
 */
export async function updateCredits(ctx: Context, actor: Actor, request: Request) {
  const isAboutOthers = request.user_id !== undefined || request.change !== undefined;
  if (actor.roleId === roles.client || !isAboutOthers) return settlePaidOrders(ctx, actor.id);
  const change = readChange(request);
  await inTransaction(ctx, (inside) =>
    actor.roleId === roles.operator
      ? adjust(inside, actor, change)
      : giveOrTake(inside, actor, change),
  );
  return { creditsAvailable: await getBalance(ctx, change.userId) };
}

function readChange({ user_id, change, reason }: Request): Change {
  const fields = {
    ...(user_id ? {} : { user_id: 'Please say whose submissions.' }),
    ...(change ? {} : { change: 'Please give a number other than 0.' }),
    ...(reason ? {} : { reason: 'Please say why.' }),
  };
  if (!user_id || !change || !reason) refuse('invalid_input', { fields });
  return { userId: user_id, change, reason };
}

async function giveOrTake(
  ctx: Context,
  actor: Actor,
  { userId, change, reason }: Change,
): Promise<void> {
  const client = await findOwnClient(ctx, actor, userId);
  if (!client) refuse('not_found');
  const gift = { adminId: actor.id, clientId: client.id, amount: Math.abs(change), reason };
  await (change > 0 ? giveCredits(ctx, gift) : takeBackCredits(ctx, gift));
}

async function adjust(
  ctx: Context,
  actor: Actor,
  { userId, change, reason }: Change,
): Promise<void> {
  const person = await findUser(ctx.db, userId);
  if (!person) refuse('not_found');
  const pots =
    change > 0
      ? ({ from: 'world', to: 'available' } as const)
      : ({ from: 'available', to: 'world' } as const);
  const cause = `adjust:${newId(ctx.clock.now())}`;
  await moveCredits(ctx, { userId: person.id, ...pots, amount: Math.abs(change), cause });
  const detail = { change, reason };
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId: person.id,
    act: 'credits_adjusted',
    detail,
  });
}
