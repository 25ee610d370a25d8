import type { Context } from '../../context.ts';
import { getPerson } from '../identity/get-person.ts';
import { sendMail } from '../notifications/send-mail.ts';
import { batchCompleted, batchPaused } from './mails.ts';
import { findBatchById } from './store/batches.ts';

export interface BatchMail {
  kind: 'completed' | 'paused';
  batchId: string;
}

/** Says only what still holds: a batch that goes on again meanwhile needs no mail about its pause. */
export async function sendBatchMail(ctx: Context, { kind, batchId }: BatchMail): Promise<void> {
  const batch = await findBatchById(ctx.db, batchId);
  if (!batch || batch.deleted_at || batch.state !== kind) return;
  const { user } = await getPerson(ctx, batch.user_id);
  const { publicUrl } = ctx.config.http;
  const content =
    kind === 'completed'
      ? batchCompleted(user, batch, publicUrl)
      : batchPaused(user, batch, publicUrl);
  await sendMail(ctx, user.email, content);
}
