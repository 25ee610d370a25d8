import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { sweepOrphans } from './orphans.ts';
import { deleteExpiredSheets } from './storage.ts';

export const fileJobs = {
  'files.remove': defineJob({
    payload: z.object({ sheetId: z.string() }),
    run: (ctx, { sheetId }) => ctx.files.remove(sheetId),
  }),
  'files.expire': defineJob({
    cron: '37 3 * * *',
    run: (ctx) => deleteExpiredSheets(ctx),
  }),
  'files.sweep': defineJob({
    cron: '7 4 * * *',
    run: (ctx) => sweepOrphans(ctx),
  }),
};
