import { defineJob } from '../../jobs/define-job.ts';
import { after, day } from '../../lib/clock.ts';
import { purgeKeys } from './idempotency-keys.ts';
import { deleteRateLimitsBefore, deleteReceiptsBefore } from './store.ts';

export const requestJobs = {
  'requests.forget': defineJob({
    cron: '17 * * * *',
    run: async (ctx) => {
      const now = ctx.clock.now();
      await deleteRateLimitsBefore(ctx.db, now);
      await deleteReceiptsBefore(ctx.db, after(now, -day));
      await purgeKeys(ctx);
    },
  }),
};
