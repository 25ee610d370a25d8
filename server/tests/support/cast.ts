import { randomUUID } from 'node:crypto';
import { roles } from '@rowmill/contract';
import { moveCredits } from '../../src/domains/credits/move-credits.ts';
import { seedUser } from '../../src/domains/identity/settle-person.ts';
import { insertSession } from '../../src/domains/identity/store/sessions.ts';
import { hashSecret, newSecret } from '../../src/lib/ids.ts';
import { type Person, password } from './people.ts';
import type { World } from './world.ts';

interface Role {
  roleId?: 1 | 2 | 3;
  adminId?: string | null;
  submissions?: number;
  isVerified?: boolean;
}

const hashes = new WeakMap<World, Promise<string>>();

/** All of them have the same password, which is hashed once, for that takes its time. */
function hashOf(world: World): Promise<string> {
  const hash = hashes.get(world) ?? world.app.ctx.passwords.hash(password);
  hashes.set(world, hash);
  return hash;
}

/** A person who is signed in, without the time that signing in takes. */
export async function arrived(world: World, role: Role = {}): Promise<Person> {
  const { roleId = roles.client, adminId = null, submissions = 0, isVerified = true } = role;
  const { ctx } = world.app;
  const email = `${randomUUID()}@example.test`;
  const person = {
    email,
    first_name: 'Pat',
    last_name: 'Person',
    roleId,
    adminId,
    passwordHash: await hashOf(world),
  };
  const id = (await seedUser(ctx, person)) ?? '';
  if (!isVerified)
    await ctx.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', id)
      .execute();
  if (submissions > 0)
    await moveCredits(ctx, {
      userId: id,
      from: 'external',
      to: 'available',
      amount: submissions,
      cause: 'test',
    });
  return { id, email, token: await sessionOf(world, id) };
}

export async function sessionOf(world: World, userId: string): Promise<string> {
  const token = newSecret();
  const now = world.clock.now();
  await insertSession(world.app.ctx.db, {
    id: randomUUID(),
    user_id: userId,
    token_hash: hashSecret(token),
    app_token_hash: hashSecret(newSecret()),
    device: 'Test',
    created_at: now,
    last_seen_at: now,
  });
  return token;
}

/** As whom an admin asks to act. */
export const as = (person: { id: string }) => ({ switchedAs: { user_id: person.id } });
