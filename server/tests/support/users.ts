import { randomUUID } from 'node:crypto';
import { type RoleId, roles } from '@rowmill/contract';
import { authenticateActor, authoriseActingFor } from '../../src/core/authority.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { moveCredits } from '../../src/domains/credits/ledger.ts';
import { seedUser } from '../../src/domains/identity/accounts/registration.ts';
import { insertSession } from '../../src/domains/identity/store/sessions.ts';
import { lockUser } from '../../src/domains/identity/store/users.ts';
import { hashSecret, newSecret } from '../../src/lib/ids.ts';
import type { TestServer } from './test-server.ts';

export interface TestUser {
  id: string;
  email: string;
  token: string;
}

export const password = 'plain straw 47 winter';
let number = 0;

export function newEmail(): string {
  return `new-${++number}@example.test`;
}

export function registration(email: string) {
  return { first_name: 'Ned', last_name: 'Newcomer', email, password };
}

interface UserOptions {
  roleId?: RoleId;
  adminId?: string | null;
  submissions?: number;
  isVerified?: boolean;
}

/** A verified user with a session, which is inserted: signing in costs 50 ms of hashing. */
export async function createUser(
  server: TestServer,
  { roleId = roles.client, adminId = null, submissions = 0, isVerified = true }: UserOptions = {},
): Promise<TestUser> {
  const { ctx } = server.app;
  const email = `person-${++number}@example.test`;
  const id = await seedUser(ctx, {
    email,
    first_name: 'Pat',
    last_name: 'Person',
    roleId,
    adminId,
    passwordHash: await hashPassword(server),
  });
  if (!id) throw new Error(`${email} already exists.`);
  if (!isVerified)
    await ctx.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', id)
      .execute();
  if (submissions > 0) await addSubmissions(server, id, submissions);
  return { id, email, token: await createSession(server, id) };
}

const hashes = new WeakMap<TestServer, Promise<string>>();

/** All test users share one password, which each server hashes once. */
function hashPassword(server: TestServer): Promise<string> {
  const hash = hashes.get(server) ?? server.app.ctx.passwords.hash(password);
  hashes.set(server, hash);
  return hash;
}

export async function addSubmissions(
  server: TestServer,
  userId: string,
  amount: number,
): Promise<void> {
  const cause = `test:${randomUUID()}`;
  await moveCredits(server.app.ctx, { userId, from: 'external', to: 'available', amount, cause });
}

export async function createSession(server: TestServer, userId: string): Promise<string> {
  const token = newSecret();
  const now = server.clock.now();
  await inTransaction(server.app.ctx, async ({ db }) => {
    await lockUser(db, userId);
    await insertSession(db, {
      id: randomUUID(),
      user_id: userId,
      token_hash: hashSecret(token),
      device: 'Test',
      created_at: now,
      last_seen_at: now,
    });
  });
  return token;
}

/** Signs in over the API and returns the token. */
export async function signIn(
  server: TestServer,
  email: string,
  secret = password,
): Promise<string> {
  const { body } = await server.call('login', { email, password: secret });
  return body.user_token;
}

/** The part of a request with which an admin acts for a client. */
export const as = (user: { id: string }) => ({ switchedAs: { user_id: user.id } });

/** Sends a wrong password. */
export const attemptSignIn = (
  server: TestServer,
  email: string,
  headers: Record<string, string> = {},
) => server.call('login', { email, password: 'not the password' }, { headers });

/** Sends wrong passwords one after the other and counts how many were checked. */
export async function countAttempts(
  server: TestServer,
  email: string,
  headersOf: (n: number) => Record<string, string>,
  most = 15,
) {
  let attempts = 0;
  for (let n = 0; n < most; n++)
    attempts += Number((await attemptSignIn(server, email, headersOf(n))).status === 422);
  return attempts;
}

/** A client as the session gate makes them before the body of a request is read. */
export function actorOf({ id }: Pick<TestUser, 'id'>) {
  return authenticateActor({
    id,
    sessionId: 'none',
    roleId: roles.client,
    isVerified: true,
    ip: '127.0.0.1',
    siteUrl: 'http://127.0.0.1',
  });
}

/** A client who acts for themselves. */
export function actingOf(person: Pick<TestUser, 'id'>) {
  return authoriseActingFor({ actor: actorOf(person), subjectId: person.id });
}
