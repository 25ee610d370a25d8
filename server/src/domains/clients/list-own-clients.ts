import type { ClientSummary, ParsedRequestOf, userList } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { startOfMonth } from '../../lib/clock.ts';
import { listClients } from './store.ts';

export async function listOwnClients(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof userList>,
) {
  const rows = await listClients(ctx.db, {
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
      accepted: row.accepted,
      plan: row.plan,
      creditsAvailable: row.available ?? 0,
      batches_running: row.batches_running ?? 0,
      monthly_limit: row.monthly_limit,
      spent_this_month: (row.spent_this_month ?? 0) + (row.reserved ?? 0),
      low_balance_at: row.low_balance_at,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
    }),
  );
  return { users, total: rows[0]?.total ?? 0 };
}
