import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/** For monitoring: what waits, and for how long. */
export async function measureQueue(db: Db) {
  const started = performance.now();
  await sql`select 1`.execute(db);
  const seconds = (performance.now() - started) / 1_000;
  const batches = await sql<{ state: string; count: number; rows: number }>`
    select state, count(*)::int as count, sum(rows - answered - failed - skipped)::float8 as rows
    from batches where ended_at is null group by state`.execute(db);
  const jobs = await sql<{ queue: string; state: string; count: number; seconds: number }>`
    select name as queue, state::text, count(*)::int as count,
      extract(epoch from now() - min(created_on))::float8 as seconds
    from jobs.job where state in ('created', 'retry', 'active', 'failed') group by 1, 2`.execute(
    db,
  );
  const frozen = await sql<{ count: number }>`
    select count(*)::int as count from credit_accounts where frozen_at is not null`.execute(db);
  const leases = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(heartbeat_on)), 0)::float8 as seconds
    from jobs.job where heartbeat_seconds is not null and state = 'active'`.execute(db);
  const cooldowns = await sql<{ model: string; seconds: number }>`
    select model, extract(epoch from until - now())::float8 as seconds
    from cooldowns where until > now()`.execute(db);
  const open = jobs.rows.filter(({ state }) => state !== 'failed');
  return {
    /** How long the smallest statement takes. */
    seconds,
    batches: batches.rows,
    openRows: batches.rows.find(({ state }) => state === 'running')?.rows ?? 0,
    frozenAccounts: frozen.rows[0]?.count ?? 0,
    jobs: jobs.rows,
    /** The time since the oldest last heartbeat of a leased slice. */
    leaseSeconds: leases.rows[0]?.seconds ?? 0,
    cooldowns: cooldowns.rows,
    ages: [...Map.groupBy(open, ({ queue }) => queue)].map(([queue, ofQueue]) => ({
      queue,
      seconds: Math.max(...ofQueue.map(({ seconds }) => seconds)),
    })),
  };
}
