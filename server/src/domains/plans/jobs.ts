import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { remindOfEnd, sendReminder } from './remind-of-end.ts';

export const planJobs = {
  'plans.remind': defineJob({
    payload: z.object({}),
    cron: '11 * * * *',
    run: (ctx) => remindOfEnd(ctx, (ending) => ({ name: 'plans.mail', payload: ending })),
  }),
  'plans.mail': defineJob({
    payload: z.object({ userId: z.string(), planId: z.string(), endsAt: z.string() }),
    run: sendReminder,
  }),
};
