import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startMailServer } from '../../../fakes/mail-server.ts';
import { sendLowBalanceEmail } from '../../src/domains/credits/spending.ts';
import { closeAtEnd } from '../support/closing.ts';
import { asOwner, startTestServer } from '../support/test-server.ts';
import { addSubmissions, createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const mail = await startMailServer();
closeAtEnd(mail.close);
const server = await startTestServer({ CHAT_BASE_URL: 'demo', SMTP_URL: mail.url });

it('repeats a low-balance email only to the address that fails, until the balance has risen', async () => {
  const admin = await createUser(server, { roleId: roles.admin });
  const client = await createUser(server, { adminId: admin.id, submissions: 2 });
  await server.call('setClientLimits', { user_id: client.id, low_balance_at: 2 }, admin);
  mail.refused.set(admin.email, '450 later');
  await server.ask({ question: 'Again?', query: {} }, client);
  const tries = () => [client, admin].map(({ email }) => mail.triesTo(email));
  await until(() => tries().every((count) => count > 0));
  const retry = () => sendLowBalanceEmail(server.app.ctx, { userId: client.id, to: 'admin' });
  await expect(retry()).rejects.toThrow('450 later');
  expect(mail.triesTo(client.email)).toBe(1);
  await addSubmissions(server, client.id, 10);
  const before = tries();
  await retry();
  expect(tries()).toEqual(before);
});

it('tries an email once to an address that the mail server refuses for good', async () => {
  const { email } = await createUser(server);
  mail.refused.set(email, `550 5.1.1 <${email}> is not known here`);
  await server.call('sendResetLinkEmail', { email });
  const tried = async () => {
    const { rows } = await sql<{ state: string }>`
      select state from jobs.job where name = 'identity.mail' and data->>'email' = ${email}
      and state not in ('created', 'active')`.execute(server.app.ctx.db);
    return rows;
  };
  await until(async () => (await tried()).length > 0);
  expect(await tried()).toEqual([{ state: 'completed' }]);
  expect(mail.triesTo(email)).toBe(1);
});

it('retries each kind of email for a day, also in the queues of an earlier version', async () => {
  await asOwner(server, 'update jobs.queue set retry_limit = 8');
  await server.restart();
  const { rows } = await sql<{ name: string }>`
    select name from jobs.queue where retry_limit = 150 and retry_delay_max = 600
    order by name`.execute(server.app.ctx.db);
  expect(rows.map(({ name }) => name)).toEqual([
    'batches.digest',
    'batches.mail',
    'billing.failed',
    'billing.mail',
    'billing.refused',
    'credits.low-balance',
    'identity.mail',
    'plans.mail',
  ]);
});
