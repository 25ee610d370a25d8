import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { runLedgerChecks } from './ledger-checks.ts';
import { sendLowBalanceEmails } from './spending.ts';

export const creditJobs = {
  'credits.check-books': defineJob({
    cron: '7 * * * *',
    run: (ctx) => runLedgerChecks(ctx),
  }),
  'credits.low-balance': defineJob({
    payload: z.object({ userId: z.string() }),
    run: sendLowBalanceEmails,
  }),
};
