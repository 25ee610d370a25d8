import type { getPeople, ParsedRequestOf, PersonSummary } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { searchPeople } from './store.ts';

export async function listPeople(
  ctx: Context,
  _: Actor,
  request: ParsedRequestOf<typeof getPeople>,
) {
  const rows = await searchPeople(ctx.db, request);
  const people = rows.map(
    (row): PersonSummary => ({
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      email: row.email,
      role_id: row.role_id,
      email_verified_at: row.email_verified_at?.toISOString() ?? null,
      suspended_at: row.suspended_at?.toISOString() ?? null,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      creditsAvailable: row.available ?? 0,
      admin: row.admin_id && row.admin_name ? { id: row.admin_id, name: row.admin_name } : null,
    }),
  );
  return { people, total: rows[0]?.total ?? 0 };
}
