import type { ClientSummary } from '@rowmill/contract';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startOfMonth } from '../../lib/clock.ts';
import { limitsSaved } from '../../texts/clients.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { getBalance } from '../credits/ledger.ts';
import { ensureLimits, updateLimits } from '../credits/store.ts';
import { lockOwnClient } from '../identity/accounts/clients.ts';
import { listClients } from './store.ts';

export const listOwnClients: Handler<'userList'> = async (ctx, actor, request) => {
  const { rows, total, searched } = await listClients(ctx.db, {
    adminId: actor.id,
    now: ctx.clock.now(),
    monthStart: startOfMonth(ctx.clock.now()),
    ...request,
  });
  const users = rows.map(
    (row): ClientSummary => ({
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      email: row.email,
      phone: row.phone,
      email_verified_at: row.email_verified_at?.toISOString() ?? null,
      suspended_at: row.suspended_at?.toISOString() ?? null,
      accepted: row.accepted,
      plan: row.plan,
      creditsAvailable: row.available ?? 0,
      debt: row.debt ?? 0,
      batches_running: row.batches_running ?? 0,
      monthly_limit: row.monthly_limit,
      spent_this_month: (row.spent_this_month ?? 0) + (row.reserved ?? 0),
      low_balance_at: row.low_balance_at,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
    }),
  );
  const can_give = await getBalance(ctx, actor.id);
  return { users, total, can_give, ...(searched && { searched }) };
};

/** Omitted limits stay as they are. Each change makes a low balance notify again. */
export const setLimits: Handler<'setClientLimits'> = async (ctx, actor, request) => {
  const { user_id, monthly_limit, low_balance_at } = request;
  await inTransaction(ctx, async (ctx) => {
    const client = await lockOwnClient(ctx, actor, user_id);
    if (!client) refuse('not_found');
    await ensureLimits(ctx.db, client.id);
    const { monthly_limit: limit, low_balance_at: threshold } = await updateLimits(
      ctx.db,
      client.id,
      {
        ...(monthly_limit === undefined ? {} : { monthly_limit }),
        ...(low_balance_at === undefined ? {} : { low_balance_at }),
        low_balance_notified_at: null,
      },
    );
    const detail = { monthly_limit: limit, low_balance_at: threshold };
    await writeAuditEntry(ctx, { actor, subjectId: client.id }, 'client_limits_set', detail);
    // An open page says what the client may spend.
    await ctx.publish(ctx.db, { user_id: client.id });
  });
  record(ctx, 'client_limits_set', { user_id, actor_id: actor.id });
  return { message: limitsSaved };
};
