import { type Kysely, sql } from 'kysely';

/** Batches pause when their request is refused, and retried rows keep the reason of a failure. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table batches drop constraint batches_pause_reason, add constraint batches_pause_reason
      check (pause_reason in ('person', 'needs_credits', 'provider_refused', 'request_refused', 'provider_down', 'storage_full'))`.execute(
    db,
  );
  await sql`
    create table earlier_problems (
      batch_id text not null references batches (id),
      row integer not null,
      problem text not null,
      primary key (batch_id, row)
    )`.execute(db);
  await sql`alter table earlier_problems enable row level security`.execute(db);
  await sql`
    create policy in_scope on earlier_problems for all
      using ((select is_system_scope()) or batch_id in (select id from batches))`.execute(db);
}
