import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { purgeKeys } from './idempotency-keys.ts';
import { deleteRateLimitsBefore } from './store.ts';

export const requestJobs = {
  'requests.forget': defineJob({
    payload: z.object({}),
    cron: '17 * * * *',
    run: async (ctx) => {
      await deleteRateLimitsBefore(ctx.db, ctx.clock.now());
      await purgeKeys(ctx);
    },
  }),
};
