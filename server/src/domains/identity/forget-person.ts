import { linkPurposes } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { deleteLinks } from './store/links.ts';
import { deleteSessionsOf } from './store/sessions.ts';
import { updateUser } from './store/users.ts';

/** Leaves a record without a name, a password or an address, so that the ledger still belongs to somebody. */
export async function forgetPerson(ctx: Context, id: string): Promise<void> {
  await deleteSessionsOf(ctx.db, { userId: id });
  await deleteLinks(ctx.db, { userId: id, purposes: linkPurposes });
  await updateUser(ctx.db, id, {
    email: `deleted-${id}@deleted.invalid`,
    pending_email: null,
    email_verified_at: null,
    password_hash: null,
    first_name: 'Deleted',
    last_name: 'person',
    phone: '',
    admin_id: null,
    profile_photo: null,
    deleted_at: ctx.clock.now(),
  });
}
