import { roles } from '@rowmill/contract';
import { seedUser } from '../../src/domains/identity/settle-person.ts';
import type { World } from './world.ts';

export const password = 'plain straw 47 winter';
let number = 0;

export interface Person {
  id: string;
  email: string;
  token: string;
}

/** A verified person who is signed in. */
export async function signedIn(
  world: World,
  { roleId = roles.client, adminId = null }: { roleId?: 1 | 2 | 3; adminId?: string | null } = {},
): Promise<Person> {
  const email = `person-${++number}@example.test`;
  const passwordHash = await world.app.ctx.passwords.hash(password);
  const id = await seedUser(world.app.ctx, {
    email,
    first_name: 'Pat',
    last_name: 'Person',
    roleId,
    adminId,
    passwordHash,
  });
  if (!id) throw new Error(`${email} is there already.`);
  return { id, email, token: await signIn(world, email) };
}

export async function signIn(world: World, email: string, secret = password): Promise<string> {
  const { body } = await world.call('login', { email, password: secret });
  return body.user_token;
}

export function newAddress(): string {
  return `new-${++number}@example.test`;
}

export function registration(email: string) {
  return { first_name: 'Ned', last_name: 'Newcomer', email, password };
}
