import type { ParsedRequestOf, setClientLimits } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { ensureLimits, updateLimits } from '../credits/store.ts';
import { findOwnClient } from '../identity/find-own-client.ts';

/** What is not named stays as it is. A new mark for a low balance is told of anew. */
export async function setLimits(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof setClientLimits>,
) {
  const { user_id, monthly_limit, low_balance_at } = request;
  await inTransaction(ctx, async (inside) => {
    const client = await findOwnClient(inside, actor, user_id);
    if (!client) refuse('not_found');
    await ensureLimits(inside.db, client.id);
    const { monthly_limit: limit, low_balance_at: mark } = await updateLimits(
      inside.db,
      client.id,
      {
        ...(monthly_limit === undefined ? {} : { monthly_limit }),
        ...(low_balance_at === undefined ? {} : { low_balance_at }),
        low_balance_notified_at: null,
      },
    );
    const detail = { monthly_limit: limit, low_balance_at: mark };
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: client.id,
      act: 'client_limits_set',
      detail,
    });
  });
  record(ctx, 'client_limits_set', { user_id, actor_id: actor.id });
  return { message: 'The limits are saved.' };
}
