import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { forgetRequests } from './forget-requests.ts';

export const requestJobs = {
  'requests.forget': defineJob({
    payload: z.object({}),
    cron: '17 * * * *',
    run: (ctx) => forgetRequests(ctx),
  }),
};
