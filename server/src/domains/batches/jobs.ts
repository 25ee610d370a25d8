import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { sendBatchEmail, sendDigest, sendDueEmails } from './emails.ts';
import { resumeAfterOutage } from './lifecycle/engine-pause.ts';
import { returnAbandonedReservations } from './slices/recover.ts';
import { vacuum, vacuumChangedTables } from './store/vacuum.ts';

export const batchJobs = {
  'batches.mail': defineJob({
    payload: z.object({ batchId: z.string() }),
    run: sendBatchEmail,
  }),
  'batches.digest': defineJob({
    payload: z.object({ userId: z.string(), lines: z.array(z.string()) }),
    run: sendDigest,
  }),
  'batches.due-emails': defineJob({
    cron: '* * * * *',
    run: (ctx) => sendDueEmails(ctx),
  }),
  /** Economy batches ask again every minute whether there is capacity. */
  'batches.economy': defineJob({
    cron: '* * * * *',
    run: (ctx) => resumeAfterOutage(ctx, 'no_capacity'),
  }),
  'batches.rescue': defineJob({
    cron: '*/5 * * * *',
    run: (ctx) => returnAbandonedReservations(ctx),
  }),
  /** Nightly, and after a large batch is deleted. PostgreSQL also does this by itself. */
  'batches.vacuum': defineJob({
    payload: z.object({ tables: z.optional(z.array(z.string())) }),
    cron: '47 3 * * *',
    run: async (ctx, { tables }) => {
      if (ctx.config.database.kind === 'embedded') await vacuum(ctx.db, tables);
    },
  }),
  /** The embedded database has no autovacuum. */
  'batches.vacuum-worn': defineJob({
    cron: '* * * * *',
    run: async (ctx) => {
      if (ctx.config.database.kind === 'embedded') await vacuumChangedTables(ctx.db);
    },
  }),
};
