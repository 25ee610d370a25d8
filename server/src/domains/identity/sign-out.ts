import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { deleteSession } from './store/sessions.ts';

export async function signOut(ctx: Context, actor: Actor): Promise<{ message: string }> {
  await deleteSession(ctx.db, { id: actor.sessionId, userId: actor.id });
  record(ctx, 'signed_out', { user_id: actor.id });
  return { message: 'You are signed out.' };
}
