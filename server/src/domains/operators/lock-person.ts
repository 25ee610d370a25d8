import { isAssignable } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { findUser, lockUser, type UserRow } from '../identity/store/users.ts';

/** Somebody over whom an operator decides: there, no operator himself, and so never the one who asks. */
export async function lockPerson(ctx: Context, actor: Actor, id: string): Promise<UserRow> {
  if (!(await findUser(ctx.db, id))) refuse('not_found');
  const person = await lockUser(ctx.db, id);
  if (person.id === actor.id || !isAssignable(person.role_id)) {
    refuse('not_now', {
      message: 'Operators are made and unmade on the machine itself, not here.',
    });
  }
  return person;
}
