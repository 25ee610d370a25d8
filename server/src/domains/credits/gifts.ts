import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import * as texts from '../../texts/credits.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { moveCredits } from './ledger.ts';
import { giftLeft } from './rules.ts';
import { findAccount, listChanges, lockAccounts } from './store.ts';

interface Gift {
  adminId: string;
  clientId: string;
  amount: number;
  reason?: string;
}

/** Moves available submissions from an admin to a client. */
export async function giveCredits(ctx: Context, gift: Gift): Promise<void> {
  const { adminId, clientId } = gift;
  await inTransaction(ctx, async (ctx) => {
    await lockAccounts(ctx.db, [adminId, clientId]);
    await transfer(ctx, gift, { from: adminId, to: clientId, act: 'credits_given' });
  });
}

/**
 * What is left of what this admin gave: what the client bought or got from others stays. Gifts are
 * used, and reserved, before anything else.
 */
export async function countReturnable(
  ctx: Context,
  { adminId, clientId }: Pick<Gift, 'adminId' | 'clientId'>,
): Promise<number> {
  const { available = 0, reserved = 0 } = (await findAccount(ctx.db, clientId)) ?? {};
  const prefix = giftCause(adminId);
  const left = giftLeft(await listChanges(ctx.db, { userId: clientId, prefix }));
  return Math.max(0, Math.min(available, left - reserved));
}

export async function takeBackCredits(ctx: Context, gift: Gift): Promise<void> {
  const { adminId, clientId, amount } = gift;
  await inTransaction(ctx, async (ctx) => {
    await lockAccounts(ctx.db, [adminId, clientId]);
    const free = await countReturnable(ctx, gift);
    if (amount > free) refuse('insufficient_credits', { message: texts.canTakeBackOnly(free) });
    await transfer(ctx, gift, { from: clientId, to: adminId, act: 'credits_taken_back' });
  });
}

async function transfer(
  ctx: Context,
  { adminId, clientId, amount, reason }: Gift,
  { from, to, act }: { from: string; to: string; act: 'credits_given' | 'credits_taken_back' },
): Promise<void> {
  const cause = giftCause(adminId) + newId(ctx.clock.now());
  await moveCredits(ctx, { userId: from, from: 'available', to: 'external', amount, cause });
  await moveCredits(ctx, { userId: to, from: 'external', to: 'available', amount, cause });
  const people = { actor: { id: adminId }, subjectId: clientId };
  await writeAuditEntry(ctx, people, act, { amount, reason });
}

/** Gifts and their returns share this prefix. */
export function giftCause(adminId: string): string {
  return `gift:${adminId}:`;
}
