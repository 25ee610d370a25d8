import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Job } from '../../jobs/job.ts';
import { after, minute, second } from '../../lib/clock.ts';
import { plainFileName } from '../../lib/plain-name.ts';
import * as texts from '../../texts/batches.ts';
import { findUser } from '../identity/store/users.ts';
import { notify } from '../notifications/bell.ts';
import { type EmailContent, emailPerson } from '../notifications/emails.ts';
import { takeDueEmails, wasEmailedAfter, wasEndEmailed } from '../notifications/store.ts';
import { runSeconds } from './run-time.ts';
import { type BatchRow, findBatchById } from './store/batches.ts';

/** What the owner of a batch is told. */
const news = {
  batch_completed: { state: 'completed', text: texts.batchDone, email: texts.completedEmail },
  batch_paused: { state: 'paused', text: texts.batchPaused, email: texts.pausedEmail },
  batch_resumed: { state: 'running', text: texts.batchResumed, email: texts.resumedEmail },
} as const;
type BatchNews = keyof typeof news;
export const batchNews = Object.keys(news) as BatchNews[];
const isAboutBatch = (kind: string): kind is BatchNews => kind in news;

/** No email about a shorter batch: its owner has probably waited for it. */
const shortBatch = minute;
/** An open page reports within this time that its person saw the end. */
const grace = 30 * second;
/** After an email, news is collected for this long and sent as one email. */
const emailPause = 15 * minute;

interface NewsOfBatch {
  batchId: string;
  kind: BatchNews;
}

export function batchEmail(batchId: string, kind: BatchNews): Job {
  return { name: 'batches.mail', payload: { batchId, kind } satisfies NewsOfBatch };
}

const textOf = (batch: BatchRow, kind: BatchNews) => news[kind].text(withPlainName(batch));

export async function isWorthEmail(ctx: Context, batch: BatchRow): Promise<boolean> {
  if ((runSeconds(batch) ?? 0) * second < shortBatch) return false;
  return !(await wasEndEmailed(ctx.db, batch.id));
}

/** Shows a change of a batch in the bell, in the transaction of the change. */
export async function notifyOfBatch(
  ctx: Context,
  batch: BatchRow,
  kind: BatchNews,
  email: { wantsEmail: boolean; emailedAt?: Date } = { wantsEmail: true },
): Promise<void> {
  await notify(ctx, {
    userId: batch.user_id,
    batchId: batch.id,
    kind,
    text: textOf(batch, kind),
    path: `/history/${batch.id}`,
    ...email,
  });
}

const withPlainName = (batch: BatchRow) => ({ ...batch, name: plainFileName(batch.name) });

/** A pause needs its owner, so the first email goes at once. Further ones are collected. */
export async function notifyOfPause(ctx: Context, batch: BatchRow): Promise<void> {
  const now = ctx.clock.now();
  if (await wasEmailedAfter(ctx.db, batch.user_id, after(now, -emailPause)))
    return notifyOfBatch(ctx, batch, 'batch_paused');
  await notifyOfBatch(ctx, batch, 'batch_paused', { wantsEmail: true, emailedAt: now });
  await ctx.enqueue(ctx.db, batchEmail(batch.id, 'batch_paused'));
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
    const byPerson = Map.groupBy(due, ({ user_id }) => user_id);
    await ctx.enqueue(ctx.db, ...[...byPerson].map(([userId, events]) => digest(userId, events)));
  });
}

function digest(userId: string, events: { batch_id: string | null; kind: string }[]): Job {
  const batches = events.flatMap(({ batch_id: batchId, kind }) =>
    batchId && isAboutBatch(kind) ? [{ batchId, kind }] : [],
  );
  return { name: 'batches.digest', payload: { userId, batches } satisfies Digest };
}

/** Undefined when the batch has changed state since, such as one that was resumed. */
async function findBatchInNews(
  ctx: Context,
  { batchId, kind }: NewsOfBatch,
): Promise<BatchRow | undefined> {
  const batch = await findBatchById(ctx.db, batchId);
  return batch?.deleted_at || batch?.state !== news[kind].state ? undefined : batch;
}

export async function sendBatchEmail(ctx: Context, about: NewsOfBatch): Promise<void> {
  const batch = await findBatchInNews(ctx, about);
  if (!batch) return;
  const url = `${ctx.config.http.publicUrl}/history/${batch.id}`;
  const { email } = news[about.kind];
  await emailOwner(ctx, batch.user_id, (to) => email(to, withPlainName(batch), url));
}

/** Unless they want no such emails, or are suspended and so cannot open the batch. */
async function emailOwner(
  ctx: Context,
  userId: string,
  contentFor: (to: { first_name: string; email: string }) => EmailContent,
): Promise<void> {
  const owner = await findUser(ctx.db, userId);
  if (owner?.batch_emails && !owner.suspended_at) await emailPerson(ctx, owner, contentFor);
}

interface Digest {
  userId: string;
  batches: NewsOfBatch[];
}

/** One line for each batch whose news is still true. */
export async function sendDigest(ctx: Context, { userId, batches }: Digest) {
  const current = new Map<string, { about: NewsOfBatch; line: string }>();
  for (const about of batches) {
    const batch = await findBatchInNews(ctx, about);
    if (batch) current.set(batch.id, { about, line: textOf(batch, about.kind) });
  }
  const [first, ...others] = current.values();
  if (first && others.length === 0) return sendBatchEmail(ctx, first.about);
  const lines = [...current.values().map(({ line }) => line)];
  if (lines.length === 0) return;
  const url = `${ctx.config.http.publicUrl}/history`;
  await emailOwner(ctx, userId, (to) => texts.digestEmail(to, lines, url));
}
