import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Context } from '../../src/core/context.ts';
import { sendDueEmails } from '../../src/domains/batches/emails.ts';
import { remindOfPlanEnds } from '../../src/domains/plans/reminders.ts';
import { purgeKeys } from '../../src/domains/requests/idempotency-keys.ts';
import type { Job } from '../../src/jobs/job.ts';
import { countStatements } from '../support/statements.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const server = await startTestServer({ CHAT_BASE_URL: 'demo' });
const { ctx } = server.app;
const { db } = ctx;
const people = await Promise.all(Array.from({ length: 3 }, () => createUser(server)));

/** What a job enqueues, by statement. */
async function enqueuedBy(run: (ctx: Context) => Promise<void>): Promise<Job[][]> {
  const statements: Job[][] = [];
  const enqueue = async (_: unknown, ...jobs: Job[]) => void statements.push(jobs);
  await run({ ...ctx, enqueue });
  return statements;
}

it('reminders of the ends of many plans are enqueued together', async () => {
  for (const { id } of people)
    await sql`
      insert into user_plans (id, user_id, plan_id, terms, started_at, ends_at)
      select ${id}, ${id}, id, '{"name":"Month"}', now() - interval '25 days', now() + interval '5 days'
      from plans limit 1`.execute(db);
  const [jobs = [], ...others] = await enqueuedBy(remindOfPlanEnds);
  expect([jobs.length, others]).toEqual([people.length, []]);
});

it('emails with the news of many people are enqueued together', async () => {
  for (const { id } of people)
    await sql`
      insert into notifications (id, user_id, kind, text, path, wants_email, created_at)
      values (${id}, ${id}, 'batch_completed', 'Done.', '/history', true, now() - interval '1 hour')`.execute(
      db,
    );
  const [jobs = [], ...others] = await enqueuedBy(sendDueEmails);
  expect([jobs.length, others]).toEqual([people.length, []]);
});

it('the keys of many prompts are forgotten a thousand at a time', async () => {
  const [person] = people;
  const forget = async (prompts: number) => {
    await sql`
      insert into single_prompts (id, user_id, actor_id, template, model, rows, state, answer, ask_key, asked_at)
      select 'p' || n, ${person?.id}, ${person?.id}, 'What?', 'demo', 1, 'answered', 'That.', 'k' || n, now() - interval '2 days'
      from generate_series(1, ${prompts}::integer) n`.execute(db);
    const { counted, statements } = countStatements(ctx);
    await purgeKeys(counted);
    const left = db.selectFrom('single_prompts').select('id').where('ask_key', 'is not', null);
    expect(await left.execute()).toEqual([]);
    await db.deleteFrom('single_prompts').execute();
    return statements();
  };
  expect((await forget(2_500)) - (await forget(1))).toBe(2);
});
