import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { after } from '../../lib/clock.ts';
import { expiredLinkRetention } from '../../lib/stored-bounds.ts';
import { deleteUnverifiedAccounts } from './accounts/verification.ts';
import { accountEmailKinds, sendAccountEmail } from './emails.ts';
import { liveSessionBounds } from './rules.ts';
import { warnOperators } from './sessions/sign-in-limits.ts';
import { deleteLinksExpiredBefore } from './store/email-links.ts';
import { deleteExpiredSessions } from './store/sessions.ts';

export const identityJobs = {
  'identity.mail': defineJob({
    payload: z.object({
      kind: z.enum(accountEmailKinds),
      email: z.string(),
      userId: z.optional(z.string()),
      from: z.optional(z.string()),
      reason: z.optional(z.string()),
    }),
    run: sendAccountEmail,
  }),
  'identity.sign-ins-near-limit': defineJob({ payload: z.object({}), run: warnOperators }),
  'identity.forget': defineJob({
    cron: '37 3 * * *',
    run: async (ctx) => {
      const now = ctx.clock.now();
      await deleteExpiredSessions(ctx.db, liveSessionBounds(now));
      await deleteLinksExpiredBefore(ctx.db, after(now, -expiredLinkRetention));
      await deleteUnverifiedAccounts(ctx);
    },
  }),
};
