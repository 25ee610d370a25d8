import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import type { Job } from '../../jobs/job.ts';
import { sweepOrphans } from './orphans.ts';

/** Removes a sheet's files once the transaction that deletes it is committed. */
export function removeFiles(sheetId: string): Job {
  return { name: 'files.remove', payload: { sheetId } };
}

export const fileJobs = {
  'files.remove': defineJob({
    payload: z.object({ sheetId: z.string() }),
    run: (ctx, { sheetId }) => ctx.files.remove(sheetId),
  }),
  'files.sweep': defineJob({
    payload: z.object({}),
    cron: '7 4 * * *',
    run: (ctx) => sweepOrphans(ctx),
  }),
};
