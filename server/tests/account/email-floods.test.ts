import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { roles } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { linkLifetime } from '../../src/domains/identity/rules.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { minute } from '../../src/lib/clock.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, newEmail, password, registration, type TestUser } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' });
const subject = 'Set a new password';
const lifetime = linkLifetime.reset_password;

let network = 0;
const elsewhere = () => ({ headers: { 'x-forwarded-for': `198.51.100.${++network % 250}` } });
const askFor = (email: string) =>
  retryWhileBusy(() => server.call('sendResetLinkEmail', { email }, elsewhere()));

/** Two hundred others ask for a password link at once, each from its own network. */
async function flood({ email }: TestUser): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 200 }, () => askFor(email)));
  const sent = answers.filter(({ status }) => status === 200);
  expect(sent).toHaveLength(rateLimits.resetPerAddress.attempts);
}

it('a person has a valid link in the inbox as long as others have used up the attempts', async () => {
  const person = await createUser(server);
  await flood(person);
  const emails = () => readdirSync(join(server.settings.DATA_DIR ?? '', 'outbox')).length;
  await expect.poll(emails).toBe(rateLimits.resetPerAddress.attempts);
  server.clock.advance(lifetime - minute);
  expect((await askFor(person.email)).status).toBe(429);
  const token = await server.tokenSentTo(person.email, subject);
  const changed = await server.call('resetPassword', { token, password: `${password} again` });
  expect(changed.status).toBe(200);
  server.clock.advance(minute);
  expect((await askFor(person.email)).status).toBe(200);
});

it('other emails to an address do not count as password links', async () => {
  const person = await createUser(server);
  const { email } = person;
  const admin = await createUser(server, { roleId: roles.admin });
  const change = { email, current_password: password };
  const status = async (answer: Promise<{ status: number }>) => ({ status: (await answer).status });
  const others = [
    () => status(server.call('resendLink', { email }, elsewhere())),
    () => status(server.call('registerUser', registration(email), elsewhere())),
    () => status(server.call('verifyAndUpdateUserDetails', change, { ...admin, ...elsewhere() })),
  ];
  for (const other of others) while ((await retryWhileBusy(other)).status !== 429);
  expect((await askFor(email)).status).toBe(200);
  expect((await server.emailTo(email, subject)).text).toContain('#');
});

it('one network sends a bounded number of emails to new addresses of its accounts', async () => {
  const person = await createUser(server);
  const from = { ...person, headers: { 'x-forwarded-for': '203.0.113.9' } };
  const change = () =>
    server.call(
      'verifyAndUpdateUserDetails',
      { email: newEmail(), current_password: password },
      from,
    );
  expect((await change()).status).toBe(200);
  await server.app.ctx.db
    .updateTable('rate_limits')
    .set({ attempts: rateLimits.emailPerNetwork.attempts })
    .where('key', 'like', 'mail-from:%')
    .execute();
  expect((await change()).status).toBe(429);
});

it.each(['withdrawn', 'moved'])(
  'an invitation that is %s again and again fills no inbox',
  async (way) => {
    const admin = await createUser(server, { roleId: roles.admin });
    const email = newEmail();
    const names = { first_name: 'Ned', last_name: 'Quayle' };
    const invite = (email: string) => server.call('addClient', { ...names, email }, admin);
    for (let sent = 0; sent < rateLimits.emailPerAddress.attempts; sent++) {
      const first = await invite(way === 'moved' ? newEmail() : email);
      expect(first.status).toBe(200);
      const user_id = first.body.client.id;
      if (way === 'moved') {
        const moved = await server.call('passwordResetByAdmin', { user_id, email }, admin);
        expect(moved.status).toBe(200);
      }
      expect((await server.call('withdrawInvitation', { user_id }, admin)).status).toBe(200);
    }
    const last = await invite(way === 'moved' ? newEmail() : email);
    if (way === 'withdrawn') return expect(last.status).toBe(429);
    const { id: user_id } = last.body.client;
    const move = server.call('passwordResetByAdmin', { user_id, email }, admin);
    expect((await move).status).toBe(429);
  },
);

it('invitations that are refused count for their admin, also with an idempotency key', async () => {
  const admin = await createUser(server, { roleId: roles.admin });
  const { email } = await createUser(server);
  const invite = (key: string) =>
    server.call(
      'addClient',
      { first_name: 'Ned', last_name: 'Quayle', email },
      { ...admin, headers: { 'idempotency-key': key } },
    );
  const { db } = server.app.ctx;
  await db.deleteFrom('rate_limits').where('key', 'like', 'invite:%').execute();
  expect((await invite('first')).body.code).toBe('address_unavailable');
  await db
    .updateTable('rate_limits')
    .set({ attempts: rateLimits.invitationPerAdmin.attempts })
    .where('key', 'like', 'invite:%')
    .execute();
  expect((await invite('second')).status).toBe(429);
});
