import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { findOwnClient } from './find-own-client.ts';
import { isFormerClient } from './store/former-clients.ts';

/**
 * The client for whom an actor may act now, or nobody. One whom he looked after until lately is refused in words, which
 * tells him nothing that he did not know; his session stays.
 */
export async function findActedClient(
  ctx: Context,
  actor: Actor,
  clientId: string,
): Promise<{ id: string } | undefined> {
  const client = await findOwnClient(ctx, actor, clientId);
  if (client?.suspended_at)
    refuse('suspended', {
      message: 'This client is suspended. Nobody can act for him at the moment.',
    });
  if (
    !client &&
    !clientId.includes('\u0000') &&
    (await isFormerClient(ctx.db, { clientId, adminId: actor.id }))
  ) {
    refuse('no_longer_yours');
  }
  return client;
}
