import type { PgBoss } from 'pg-boss';

/**
 * After the database's clock steps back, the queue's times lie ahead: jobs are not due, dead leases
 * not over, and no supervision or schedule runs for as long. The supervisor stamps each queue every
 * few seconds, so a stamp ahead of the clock shows the step.
 */
const repair = `
  with stepped as (
    update jobs.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where monitor_claim_on > jobs.job_now() + interval '2 seconds' returning name),
  schedules as (
    update jobs.version set cron_on = null, bam_on = null, flow_on = null, reindex_on = null, monitor_backoff_on = null
    where exists (select from stepped)),
  due as (
    update jobs.job set start_after = jobs.job_now()
    where exists (select from stepped) and state in ('created', 'retry') and start_after > jobs.job_now()),
  leased as (
    update jobs.job set heartbeat_on = jobs.job_now(), started_on = jobs.job_now()
    where exists (select from stepped) and state = 'active' and heartbeat_on > jobs.job_now())
  select count(*)::integer as queues from stepped`;

/** True when the clock had stepped back. Waits for retries are lost then, which does no harm. */
export async function repairAfterClockStep(boss: PgBoss): Promise<boolean> {
  const { rows } = await boss.getDb().executeSql(repair, []);
  return (rows[0] as { queues: number }).queues > 0;
}
