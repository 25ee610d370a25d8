import type { Job } from '../../jobs/job.ts';

/** The mail to a client whose balance is low, and to his admin. */
export function lowBalanceMail(payload: { userId: string }): Job {
  return { name: 'credits.low-balance', payload };
}
