import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import type { Job } from '../../jobs/job.ts';
import { type BatchMail, sendBatchMail } from './emails.ts';
import { rescueQuestions } from './slices/recover.ts';

export function batchMail(mail: BatchMail): Job {
  return { name: 'batches.mail', payload: mail };
}

export const batchJobs = {
  'batches.mail': defineJob({
    payload: z.object({ kind: z.enum(['completed', 'paused']), batchId: z.string() }),
    run: sendBatchMail,
  }),
  'batches.rescue': defineJob({
    payload: z.object({}),
    cron: '*/5 * * * *',
    run: (ctx) => rescueQuestions(ctx),
  }),
};
