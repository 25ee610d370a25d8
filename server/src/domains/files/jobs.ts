import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import type { Job } from '../../jobs/job.ts';
import { sweepOrphans } from './sweep-orphans.ts';

/** The files of a sheet go when the transaction that forgets the sheet is there, and not when it is undone. */
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
