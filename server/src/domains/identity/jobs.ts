import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import type { Job } from '../../jobs/job.ts';
import { forgetExpired } from './forget-expired.ts';
import { type AccountMail, accountMailKinds, sendAccountMail } from './send-account-mail.ts';

/** The mail that follows an act. No token is in it: the job that sends the mail makes the link, so none is ever stored. */
export function accountMail(mail: AccountMail): Job {
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
    run: sendAccountMail,
  }),
  'identity.forget': defineJob({
    payload: z.object({}),
    cron: '37 3 * * *',
    run: (ctx) => forgetExpired(ctx),
  }),
};
