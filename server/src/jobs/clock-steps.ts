import type { PgBoss } from 'pg-boss';

/**
 * After the database's clock steps back, the queue's times lie ahead: jobs are not due, dead leases
 * not over, and no supervision or schedule runs for as long. The step shows by the time of the last
 * check, and in a process that has just started by the stamps of the supervisor.
 */
const repair = `
  with stepped as (
    update jobs.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where greatest(monitor_claim_on, $1::timestamptz) > jobs.job_now() + interval '2 seconds'
    returning name),
  schedules as (
    update jobs.version set cron_on = null, bam_on = null, flow_on = null, reindex_on = null, monitor_backoff_on = null
    where exists (select from stepped)),
  due as (
    update jobs.job set start_after = jobs.job_now()
    where exists (select from stepped) and state in ('created', 'retry') and start_after > jobs.job_now()),
  leased as (
    update jobs.job set heartbeat_on = jobs.job_now(), started_on = jobs.job_now()
    where exists (select from stepped) and state = 'active' and heartbeat_on > jobs.job_now())
  select count(*)::integer as queues, jobs.job_now() as now from stepped`;

/**
 * Repairs the times when the clock has stepped back since the last check. Waits for retries are
 * lost then, which does no harm. Returns the time of this check.
 */
export async function repairAfterClockStep(boss: PgBoss, checkedAt: Date | null) {
  const { rows } = await boss.getDb().executeSql(repair, [checkedAt]);
  const { queues, now } = rows[0] as { queues: number; now: Date };
  return { hasStepped: queues > 0, now };
}
