import type { ParsedRequestOf, setSuspended } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { revokeAllAccess } from '../identity/end-access.ts';
import { accountMail } from '../identity/jobs.ts';
import { updateUser } from '../identity/store/users.ts';
import { lockPerson } from './lock-person.ts';

/**
 * Ends every session and every open link at once; a sign-in is refused in words, and a mail says whom to ask. What runs was
 * paid for, and goes on.
 */
export async function suspendPerson(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof setSuspended>,
) {
  const { user_id, suspended, reason } = request;
  const person = await inTransaction(ctx, async (inside) => {
    const person = await lockPerson(inside, actor, user_id);
    if (Boolean(person.suspended_at) === suspended) return person;
    await updateUser(inside.db, person.id, { suspended_at: suspended ? ctx.clock.now() : null });
    if (suspended) await revokeAllAccess(inside, person.id);
    const act = suspended ? 'person_suspended' : 'person_unsuspended';
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: person.id,
      act,
      detail: { reason },
    });
    const kind = suspended ? 'suspended' : 'readmitted';
    await ctx.enqueue(
      inside.db,
      accountMail({ kind, email: person.email, userId: person.id, reason }),
    );
    record(ctx, suspended ? 'suspended' : 'unsuspended', { user_id, actor_id: actor.id });
    return person;
  });
  const name = `${person.first_name} ${person.last_name}`;
  return {
    message: suspended ? `${name} is suspended and signed out.` : `${name} may sign in again.`,
  };
}
