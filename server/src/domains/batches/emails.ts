import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Job } from '../../jobs/job.ts';
import { after, minute, second } from '../../lib/clock.ts';
import * as texts from '../../texts/batches.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { notify } from '../notifications/bell.ts';
import { emailPerson } from '../notifications/emails.ts';
import { takeDueEmails, wasBatchEmailed, wasEmailedAfter } from '../notifications/store.ts';
import { type BatchRow, findBatchById } from './store/batches.ts';

/** No email about a shorter batch: its owner has probably waited for it. */
const shortBatch = minute;
/** An open page reports within this time that its person saw the end. */
const grace = 30 * second;
/** After an email, news is collected for this long and sent as one email. */
const emailPause = 15 * minute;

export function batchEmail(batchId: string): Job {
  return { name: 'batches.mail', payload: { batchId } };
}

export async function isWorthEmail(ctx: Context, batch: BatchRow): Promise<boolean> {
  const { started_at, ended_at } = batch;
  if (!started_at || !ended_at || ended_at.getTime() - started_at.getTime() < shortBatch)
    return false;
  return !(await wasBatchEmailed(ctx.db, batch.id));
}

/** Shows the end or pause of a batch in the bell, in the transaction of the change. */
export async function notifyOfBatch(
  ctx: Context,
  batch: BatchRow,
  wantsEmail: boolean,
  emailedAt?: Date,
): Promise<void> {
  const isDone = batch.state === 'completed';
  await notify(ctx, {
    userId: batch.user_id,
    batchId: batch.id,
    kind: isDone ? 'batch_completed' : 'batch_paused',
    text: isDone ? texts.batchDone(batch) : texts.batchPaused(batch),
    path: `/history/${batch.id}`,
    wantsEmail,
    emailedAt,
  });
}

/** A pause needs its owner, so the first email goes at once. Further ones are collected. */
export async function notifyOfPause(ctx: Context, batch: BatchRow): Promise<void> {
  const now = ctx.clock.now();
  if (await wasEmailedAfter(ctx.db, batch.user_id, after(now, -emailPause)))
    return notifyOfBatch(ctx, batch, true);
  await notifyOfBatch(ctx, batch, true, now);
  await ctx.enqueue(ctx.db, batchEmail(batch.id));
}

/** Every minute: one email for each person with news. */
export async function sendDueEmails(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const due = await takeDueEmails(ctx.db, {
      now,
      before: after(now, -grace),
      lastEmailBefore: after(now, -emailPause),
    });
    for (const [userId, news] of Map.groupBy(due, ({ user_id }) => user_id)) {
      const [first] = news;
      await ctx.enqueue(
        ctx.db,
        news.length === 1 && first?.batch_id
          ? batchEmail(first.batch_id)
          : { name: 'batches.digest', payload: { userId, lines: news.map(({ text }) => text) } },
      );
    }
  });
}

/** Sends nothing when the batch has changed state since, such as one that was resumed. */
export async function sendBatchEmail(
  ctx: Context,
  { batchId }: { batchId: string },
): Promise<void> {
  const batch = await findBatchById(ctx.db, batchId);
  if (!batch || batch.deleted_at) return;
  if (batch.state !== 'completed' && batch.state !== 'paused') return;
  const { user, batch_emails } = await getPerson(ctx, batch.user_id);
  if (!batch_emails) return;
  const content = batch.state === 'completed' ? texts.completedEmail : texts.pausedEmail;
  const url = `${ctx.config.http.publicUrl}/history/${batch.id}`;
  await emailPerson(ctx, user, content(user, batch, url));
}

export async function sendDigest(
  ctx: Context,
  { userId, lines }: { userId: string; lines: string[] },
): Promise<void> {
  const { user, batch_emails } = await getPerson(ctx, userId);
  if (!batch_emails) return;
  const url = `${ctx.config.http.publicUrl}/history`;
  await emailPerson(ctx, user, texts.digestEmail(user, lines, url));
}
