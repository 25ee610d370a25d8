import * as z from 'zod/mini';
import type { Context } from '../../core/context.ts';
import { defineJob } from '../../jobs/define-job.ts';
import type { Job } from '../../jobs/job.ts';
import { after } from '../../lib/clock.ts';
import { type AccountEmail, accountMailKinds, sendAccountEmail } from './emails.ts';
import { expiredLinkMemory, liveSessionBounds } from './rules.ts';
import { deleteLinksExpiredBefore } from './store/email-links.ts';
import { deleteSessionsNotSeenSince } from './store/sessions.ts';

/** The mail that follows an act. No token is in it: the job that sends the mail makes the link, so none is ever stored. */
export function accountEmail(mail: AccountEmail): Job {
  return { name: 'identity.mail', payload: mail };
}

export const identityJobs = {
  'identity.mail': defineJob({
    payload: z.object({
      kind: z.enum(accountMailKinds),
      email: z.string(),
      userId: z.optional(z.string()),
      from: z.optional(z.string()),
      reason: z.optional(z.string()),
    }),
    run: sendAccountEmail,
  }),
  'identity.forget': defineJob({
    payload: z.object({}),
    cron: '37 3 * * *',
    run: (ctx) => forgetExpired(ctx),
  }),
};

export async function forgetExpired(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteSessionsNotSeenSince(ctx.db, liveSessionBounds(now));
  await deleteLinksExpiredBefore(ctx.db, after(now, -expiredLinkMemory));
}
