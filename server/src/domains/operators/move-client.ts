import { can, type moveClient as moveClientCall, type ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { refuse } from '../../refusal.ts';
import { ensureLimits } from '../credits/store.ts';
import { reassignClient } from '../identity/reassign-client.ts';
import { findUser } from '../identity/store/users.ts';
import { lockPerson } from './lock-person.ts';

/** From the next call on he is looked after by another. What runs for him is his own, and goes on. */
export async function moveClient(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof moveClientCall>,
) {
  const { user_id, admin_id, reason } = request;
  const client = await inTransaction(ctx, async (inside) => {
    const client = await lockPerson(inside, actor, user_id);
    if (!can(client.role_id, 'belongToAdmin'))
      refuse('not_now', { message: 'Only a client can be given to an admin.' });
    const admin = admin_id === null ? null : await findUser(inside.db, admin_id);
    if (admin === undefined) refuse('not_found');
    if (admin && (!can(admin.role_id, 'manageClients') || admin.suspended_at)) {
      refuse('not_now', {
        message: 'Clients are looked after by an admin who is not suspended.',
        fields: { admin_id: 'Not an admin.' },
      });
    }
    if (admin) await ensureLimits(inside.db, client.id);
    await reassignClient(inside, actor, { client, adminId: admin?.id ?? null, reason });
    return client;
  });
  return { message: `${client.first_name} ${client.last_name} is moved.` };
}
