import type { PauseReason } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import type { EmailContent } from '../notifications/emails.ts';
import { sendEmail } from '../notifications/emails.ts';
import { type BatchRow, findBatchById } from './store/batches.ts';

interface Person {
  first_name: string;
  email: string;
}

const reasons: Record<Exclude<PauseReason, 'person'>, string> = {
  needs_credits: 'The submissions that were held for it are used up. Buy more, and resume it.',
  provider_refused:
    'The provider of the chat model refuses our calls. Nothing is lost: it can be resumed when that is put right.',
  provider_down:
    'The provider of the chat model does not answer. It goes on by itself when the provider is back.',
  storage_full: 'There is no room left to store answers. It can be resumed when there is.',
};

export function batchCompleted(person: Person, batch: BatchRow, publicUrl: string): EmailContent {
  const { name, answered, failed, charged } = batch;
  return {
    subject: `Your batch ${name} is done`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `every row of ${name} has been asked: ${answered.toLocaleString('en')} answered, ${failed.toLocaleString('en')} failed.`,
      `${charged.toLocaleString('en')} submissions were charged. Rows that failed cost nothing.`,
    ],
    action: { label: 'See the answers', url: `${publicUrl}/history/${batch.id}` },
    reason: `This mail goes to ${person.email} because you have started the batch, or somebody has for you.`,
  };
}

export function batchPaused(person: Person, batch: BatchRow, publicUrl: string): EmailContent {
  const reason =
    batch.pause_reason && batch.pause_reason !== 'person' ? reasons[batch.pause_reason] : '';
  return {
    subject: `Your batch ${batch.name} is paused`,
    greeting: `Hello ${person.first_name},`,
    paragraphs: [
      `${batch.name} had to pause after ${batch.answered.toLocaleString('en')} answers.`,
      reason,
    ],
    action: { label: 'See the batch', url: `${publicUrl}/history/${batch.id}` },
    reason: `This mail goes to ${person.email} because the batch waits for something.`,
  };
}

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
  await sendEmail(ctx, user.email, content);
}
