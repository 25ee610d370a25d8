import type { User } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { presentUser } from './rules.ts';
import { getUser } from './store/users.ts';

export async function getPerson(
  ctx: Context,
  id: string,
): Promise<{ user: User; pending_email: string | null; created_at: Date }> {
  const row = await getUser(ctx.db, id);
  return { user: presentUser(row), pending_email: row.pending_email, created_at: row.created_at };
}
