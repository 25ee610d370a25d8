import { setTimeout as sleep } from 'node:timers/promises';
import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { BatchClient } from '../support/batches.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { asOwner, startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

it('takes no more rows and jobs when a newer version has migrated the database', async () => {
  const chat = await startFakeChat();
  onTestFinished(() => chat.close());
  const server = await startTestServer({ CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: '1' });
  const client = await BatchClient.create(server, 10);
  const { email } = await createUser(server);
  const operator = await createUser(server, { roleId: roles.operator });
  const isWorkerMissing = async () =>
    (await server.call('getOverview', {}, operator)).body.worker_missing;
  const ready = async () => {
    const response = await fetch(new URL('/health/ready', server.app.url));
    return { code: response.status, ...((await response.json()) as object) };
  };
  const waitingJobs = async () => {
    const { rows } = await sql<{ name: string }>`
      select name from jobs.job where state = 'created' and (data->>'email' = ${email} or data->>'batch_id' is not null)
      order by name`.execute(server.app.ctx.db);
    return rows.map(({ name }) => name);
  };
  const { id } = await client.start(['[[held]] 0', '[[held]] 1']);
  await until(() => chat.inFlight === 1);
  expect(await ready()).toEqual({ code: 200, status: true });

  await asOwner(server, `insert into kysely_migration (name, timestamp) values ('9999-later', '')`);
  await until(async () => (await ready()).code === 503);
  expect(await ready()).toMatchObject({
    message: expect.stringMatching(/^A newer version has migrated the database/),
  });
  chat.releaseHeld();
  // Stored by the process that sent it. The slice returns to the queue.
  await until(async () => (await waitingJobs()).length === 1);
  const other = await client.start(['[[held]] 2']);
  await server.call('sendResetLinkEmail', { email });
  expect(await waitingJobs()).toEqual(['batches.slice', 'batches.slice', 'identity.mail']);
  expect(await client.batch(id)).toMatchObject({ state: 'running', answered: 1 });
  expect(chat.calls.length).toBe(1);
  await sql`update jobs.queue set created_on = now() - interval '1 day',
    monitor_claim_on = now() - interval '1 minute'`.execute(server.app.ctx.db);
  // A worker would have looked after the queue by then.
  await sleep(7_000);
  expect(await isWorkerMissing()).toBe(true);

  await asOwner(server, `delete from kysely_migration where name = '9999-later'`);
  await server.restart();
  await until(async () => !(await isWorkerMissing()));
  await Promise.all([id, other.id].map((id) => client.releaseUntilEnded(chat, id)));
  await until(async () => (await waitingJobs()).length === 0);
  expect([await ready(), chat.calls.length]).toEqual([{ code: 200, status: true }, 3]);
  await expectLedgerChecksToPass(server);
});
