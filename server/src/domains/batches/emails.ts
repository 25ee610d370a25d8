import type { Context } from '../../core/context.ts';
import type { Job } from '../../jobs/job.ts';
import * as texts from '../../texts/batches.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { sendEmail } from '../notifications/emails.ts';
import { findBatchById } from './store/batches.ts';

interface BatchEmail {
  kind: 'completed' | 'paused';
  batchId: string;
}

export function batchEmail(email: BatchEmail): Job {
  return { name: 'batches.mail', payload: email };
}

/** Sends nothing when the batch has changed state since, such as one that was resumed. */
export async function sendBatchEmail(ctx: Context, { kind, batchId }: BatchEmail): Promise<void> {
  const batch = await findBatchById(ctx.db, batchId);
  if (!batch || batch.deleted_at || batch.state !== kind) return;
  const { user } = await getPerson(ctx, batch.user_id);
  const content = kind === 'completed' ? texts.completedEmail : texts.pausedEmail;
  const url = `${ctx.config.http.publicUrl}/history/${batch.id}`;
  await sendEmail(ctx, user.email, content(user, batch, url));
}
