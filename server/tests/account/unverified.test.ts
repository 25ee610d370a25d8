import { randomUUID } from 'node:crypto';
import { roles } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { jobs } from '../../src/job-kinds.ts';
import { day, hour } from '../../src/lib/clock.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, newEmail, registration, signIn } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startTestServer({ CHAT_BASE_URL: 'demo', TRUSTED_PROXIES: '127.0.0.1' });
const { db } = server.app.ctx;
const { registrationPerSite } = rateLimits;

/** Whether the email that a call asked for was sent. */
async function hasLink(email: string, since = new Date(0)): Promise<boolean> {
  const links = db
    .selectFrom('email_links')
    .innerJoin('users', 'users.id', 'email_links.user_id')
    .select('email_links.id')
    .where('email', '=', email)
    .where('email_links.created_at', '>', since);
  return (await links.execute()).length > 0;
}

async function register() {
  const email = newEmail();
  await server.call('registerUser', registration(email));
  await until(() => hasLink(email));
  return email;
}

const runNightly = () => jobs['identity.forget'].run(server.app.ctx, {} as never);

async function remaining(emails: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('users').select('email').where('email', 'in', emails).execute();
  return rows.map(({ email }) => email).sort();
}

it('accounts that are never verified are deleted a month after their last link and session', async () => {
  const [left, signedIn, askedAgain, suspended] = [
    ...[await register(), await register(), await register(), await register()],
  ] as [string, string, string, string];
  const verified = (await createUser(server)).email;
  const admin = await createUser(server, { roleId: roles.admin });
  const operator = await createUser(server, { roleId: roles.operator });
  const invited = newEmail();
  const { first_name, last_name } = registration(invited);
  await server.call('addClient', { first_name, last_name, email: invited, plan: 'free' }, admin);
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', suspended)
    .executeTakeFirstOrThrow();
  const act = { user_id: id, suspended: true, reason: 'spam' };
  expect((await server.call('setSuspended', act, operator)).status).toBe(200);
  const kept = [signedIn, askedAgain, suspended, verified, invited];
  const everybody = [left, ...kept];

  server.clock.advance(30 * day);
  await runNightly();
  expect(await remaining(everybody)).toEqual(everybody.toSorted());

  await signIn(server, signedIn);
  const asked = server.clock.now();
  await server.call('resendLink', { email: askedAgain });
  await until(() => hasLink(askedAgain, asked));
  server.clock.advance(day + hour);
  await signIn(server, signedIn);
  await runNightly();
  expect(await remaining(everybody)).toEqual(kept.toSorted());
  // The address is free.
  await server.call('registerUser', registration(left));
  await until(() => hasLink(left));
  expect(await remaining([left])).toEqual([left]);

  server.clock.advance(32 * day);
  await runNightly();
  expect(await remaining(everybody)).toEqual([suspended, verified, invited].toSorted());
});

it('accounts that are never verified are deleted in rounds until none is left', async () => {
  const created_at = server.clock.now();
  const people = Array.from({ length: 450 }, (_, number) => ({
    id: randomUUID(),
    email: `many-${number}@example.test`,
    first_name: 'Many',
    last_name: 'People',
    phone: '',
    password_hash: 'x',
    role_id: roles.client,
    admin_id: null,
    email_verified_at: null,
    created_at,
  }));
  await db.insertInto('users').values(people).execute();
  const emails = people.map(({ email }) => email);
  expect(await remaining(emails)).toHaveLength(450);
  server.clock.advance(30 * day + hour);
  await runNightly();
  expect(await remaining(emails)).toEqual([]);
});

it('registrations count for the whole /48 of an IPv6 network, and not for the next one', async () => {
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await server.call('registerUser', registration(newEmail()), { headers })).status;
  };
  expect(await from('2001:db8:7:1::5')).toBe(200);
  const counts = db.updateTable('rate_limits').set({ attempts: registrationPerSite.attempts });
  const { numUpdatedRows } = await counts
    .where('key', 'like', `${registrationPerSite.name}:%`)
    .executeTakeFirst();
  expect(numUpdatedRows).toBeGreaterThan(0n);
  expect(await from('2001:db8:7:ffff::5')).toBe(429);
  expect(await from('2001:db8:8:1::5')).toBe(200);
});
