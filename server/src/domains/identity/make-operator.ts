import { roles } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { openLink } from './open-link.ts';
import { findUserByEmail, insertUser, updateUser } from './store/users.ts';

/** Makes a person the operator, or raises one who is there. Gives the token of the link under which he sets his password. */
export async function makeOperator(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  email: string,
): Promise<string> {
  return inTransaction(ctx, async (inside) => {
    const now = inside.clock.now();
    const known = await findUserByEmail(inside.db, email);
    const person = known
      ? await updateUser(inside.db, known.id, { role_id: roles.operator, admin_id: null })
      : await insertUser(inside.db, {
          id: newId(now),
          email,
          first_name: 'Operator',
          last_name: email.split('@')[0] ?? '',
          phone: '',
          password_hash: null,
          role_id: roles.operator,
          admin_id: null,
          email_verified_at: null,
          created_at: now,
        });
    if (!person) throw new Error(`The address ${email} belongs to a deleted account.`);
    await writeAuditEntry(inside, {
      actorId: person.id,
      subjectId: person.id,
      act: 'operator_made',
    });
    return openLink(inside, { userId: person.id, purpose: 'invitation' });
  });
}
