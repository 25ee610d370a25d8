import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { remindOfPlanEnds, sendPlanEndEmail } from './reminders.ts';

export const planJobs = {
  'plans.remind': defineJob({
    cron: '11 * * * *',
    run: (ctx) => remindOfPlanEnds(ctx),
  }),
  'plans.mail': defineJob({
    payload: z.object({ userId: z.string(), planId: z.string(), endsAt: z.string() }),
    run: sendPlanEndEmail,
  }),
};
