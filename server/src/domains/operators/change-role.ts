import { type ParsedRequestOf, roleName, type setRole } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { reassignClient, releaseClients } from '../identity/reassign-client.ts';
import { updateUser } from '../identity/store/users.ts';
import { lockPerson } from './lock-person.ts';

/** An admin has no admin, and a client no clients: whoever changes sides is released, and so are his. */
export async function changeRole(
  ctx: Context,
  actor: Actor,
  { user_id, role_id, reason }: ParsedRequestOf<typeof setRole>,
) {
  const person = await inTransaction(ctx, async (inside) => {
    const person = await lockPerson(inside, actor, user_id);
    if (person.role_id === role_id) return person;
    await reassignClient(inside, actor, { client: person, adminId: null, reason });
    await releaseClients(inside, actor, { adminId: person.id, reason });
    await updateUser(inside.db, person.id, { role_id });
    const detail = { role_id, reason };
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: person.id,
      act: 'role_changed',
      detail,
    });
    record(ctx, 'role_changed', { user_id, actor_id: actor.id, role_id });
    return person;
  });
  const what = roleName(role_id) === 'admin' ? 'an admin' : 'a client';
  return { message: `${person.first_name} ${person.last_name} is ${what} now.` };
}
