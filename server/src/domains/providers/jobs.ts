import { defineJob } from '../../jobs/define-job.ts';
import { addCostParts } from './store.ts';

export const providerJobs = {
  /** The costs are right without it, and take longer. */
  'providers.add-costs': defineJob({
    cron: '*/5 * * * *',
    run: (ctx) => addCostParts(ctx.db),
  }),
};
