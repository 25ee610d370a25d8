import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { sendBatchEmail } from './emails.ts';
import { returnAbandonedReservations } from './slices/recover.ts';

export const batchJobs = {
  'batches.mail': defineJob({
    payload: z.object({ kind: z.enum(['completed', 'paused']), batchId: z.string() }),
    run: sendBatchEmail,
  }),
  'batches.rescue': defineJob({
    payload: z.object({}),
    cron: '*/5 * * * *',
    run: (ctx) => returnAbandonedReservations(ctx),
  }),
};
