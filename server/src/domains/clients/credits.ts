import { type CallRequest, can } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { refused } from '../../texts/clients.ts';
import { canTakeBackOnly } from '../../texts/credits.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { fulfilRecentOrders } from '../billing/payments/fulfil-order.ts';
import { countReturnable, giveCredits, takeBackCredits } from '../credits/gifts.ts';
import { getBalance, getBalanceAndDebt, moveCredits } from '../credits/ledger.ts';
import { lockOwnClient } from '../identity/accounts/clients.ts';
import { findUser } from '../identity/store/users.ts';

const invalid = refused.invalid_input;

type Request = CallRequest<'updateCreditCount'>;

/** An operator can take back what a person has, an admin what is left of what they gave. */
export const showCredits: Handler<'getAvailableCredits'> = async (
  ctx,
  { actor, subjectId },
  { can_take_back },
) => {
  const balance = await getBalanceAndDebt(ctx, subjectId);
  if (!can_take_back) return balance;
  const returnable = can(actor.roleId, 'adjustCredits')
    ? balance.creditsAvailable
    : await countReturnable(ctx, { adminId: actor.id, clientId: subjectId });
  return { ...balance, can_take_back: returnable };
};

type Change = ReturnType<typeof readChange>;

/**
 * One call with three meanings. A client's fulfils their paid orders and ignores numbers. An admin
 * gives submissions or takes them back. An operator corrects any balance.
 */
export const updateCredits: Handler<'updateCreditCount'> = async (ctx, actor, request) => {
  const isAboutOthers = request.user_id !== undefined || request.change !== undefined;
  const mayAdjust = can(actor.roleId, 'adjustCredits');
  const mayGive = can(actor.roleId, 'manageClients');
  if (!isAboutOthers || !(mayAdjust || mayGive)) return fulfilRecentOrders(ctx, actor.id);
  const change = readChange(request);
  await inTransaction(ctx, (ctx) =>
    mayAdjust ? adjust(ctx, actor, change) : giveOrTake(ctx, actor, change),
  );
  return { creditsAvailable: await getBalance(ctx, change.userId) };
};

function readChange({ user_id, change, reason }: Request) {
  const fields = {
    ...(user_id ? {} : { user_id: invalid.user_id }),
    ...(change ? {} : { change: invalid.change }),
    ...(reason ? {} : { reason: invalid.reason }),
  };
  if (!user_id || !change || !reason) refuse('invalid_input', { fields });
  return { userId: user_id, change, reason };
}

async function giveOrTake(
  ctx: Context,
  actor: Actor,
  { userId, change, reason }: Change,
): Promise<void> {
  const client = await lockOwnClient(ctx, actor, userId);
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
  const available = await getBalance(ctx, person.id);
  if (-change > available) refuse('insufficient_credits', { message: canTakeBackOnly(available) });
  const buckets =
    change > 0
      ? ({ from: 'external', to: 'available' } as const)
      : ({ from: 'available', to: 'external' } as const);
  const cause = `adjust:${newId(ctx.clock.now())}`;
  await moveCredits(ctx, { userId: person.id, ...buckets, amount: Math.abs(change), cause });
  const detail = { change, reason };
  await writeAuditEntry(ctx, { actor, subjectId: person.id }, 'credits_adjusted', detail);
}
