import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { spendHeld } from './store.ts';

interface Charge {
  userId: string;
  amount: number;
  cause: string;
}

/** What was held is spent. Unlike other moves it cannot come twice, for the results that it pays for are new in its transaction. */
export async function chargeHold(ctx: Context, { userId, amount, cause }: Charge): Promise<void> {
  const at = ctx.clock.now();
  const entry = {
    id: newId(at),
    at,
    user_id: userId,
    from_pot: 'held',
    to_pot: 'spent',
    amount,
    cause,
  } as const;
  if (!(await spendHeld(ctx.db, entry))) refuse('insufficient_credits');
}
