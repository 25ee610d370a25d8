import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { checkBooks } from './check-books.ts';
import { sendLowBalance } from './send-low-balance.ts';

export const creditJobs = {
  'credits.check-books': defineJob({
    payload: z.object({}),
    cron: '7 * * * *',
    run: (ctx) => checkBooks(ctx),
  }),
  'credits.low-balance': defineJob({
    payload: z.object({ userId: z.string() }),
    run: sendLowBalance,
  }),
};
