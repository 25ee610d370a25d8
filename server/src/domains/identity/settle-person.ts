import type { RoleId } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import { insertUser } from './store/users.ts';

interface Settled {
  email: string;
  first_name: string;
  last_name: string;
  roleId: RoleId;
  adminId: string | null;
  passwordHash: string;
}

/** Makes a verified person with a password, as a demo needs him. Undefined when he is there already. */
export async function seedUser(
  ctx: Context,
  { roleId, adminId, passwordHash, ...person }: Settled,
): Promise<string | undefined> {
  const now = ctx.clock.now();
  const user = await insertUser(ctx.db, {
    ...person,
    id: newId(now),
    phone: '',
    password_hash: passwordHash,
    role_id: roleId,
    admin_id: adminId,
    email_verified_at: now,
    created_at: now,
  });
  return user?.id;
}
