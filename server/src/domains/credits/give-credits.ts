import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { moveCredits } from './move-credits.ts';
import { lockAccounts, sumByCause } from './store.ts';

interface Gift {
  adminId: string;
  clientId: string;
  amount: number;
  reason?: string | undefined;
}

/** Moves available submissions from an admin to a client: what the one gains, the other loses in the same moment. */
export async function giveCredits(
  ctx: Context,
  { adminId, clientId, amount, reason }: Gift,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await lockAccounts(inside.db, [adminId, clientId]);
    const cause = causeOf(adminId) + newId(ctx.clock.now());
    await moveCredits(inside, { userId: adminId, from: 'available', to: 'world', amount, cause });
    await moveCredits(inside, { userId: clientId, from: 'world', to: 'available', amount, cause });
    await writeAuditEntry(inside, {
      actorId: adminId,
      subjectId: clientId,
      act: 'credits_given',
      detail: { amount, reason },
    });
  });
}

/** The way back. What the client has bought himself, or has from somebody else, an admin cannot take. */
export async function takeBackCredits(
  ctx: Context,
  { adminId, clientId, amount, reason }: Gift,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await lockAccounts(inside.db, [adminId, clientId]);
    const given = await sumByCause(inside.db, { userId: clientId, start: causeOf(adminId) });
    if (amount > given) {
      refuse('insufficient_credits', {
        message: `You have given ${given.toLocaleString('en')} submissions that can be taken back, not ${amount.toLocaleString('en')}.`,
      });
    }
    const cause = causeOf(adminId) + newId(ctx.clock.now());
    await moveCredits(inside, { userId: clientId, from: 'available', to: 'world', amount, cause });
    await moveCredits(inside, { userId: adminId, from: 'world', to: 'available', amount, cause });
    const detail = { amount, reason };
    await writeAuditEntry(inside, {
      actorId: adminId,
      subjectId: clientId,
      act: 'credits_taken_back',
      detail,
    });
  });
}

/** Gifts and what was taken back bear the giver's id, so that the one is bounded by the other. */
export function causeOf(adminId: string): string {
  return `gift:${adminId}:`;
}
