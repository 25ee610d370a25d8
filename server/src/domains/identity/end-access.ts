import type { Context } from '../../context.ts';
import { revokeRecoveryLinks } from './close-ways-in.ts';
import { deleteSessionsOf } from './store/sessions.ts';

/** Signs a person out everywhere and closes the links that were open to him. */
export async function revokeAllAccess(ctx: Context, userId: string): Promise<void> {
  await deleteSessionsOf(ctx.db, { userId });
  await revokeRecoveryLinks(ctx, userId);
}
