import { type Kysely, sql } from 'kysely';

/**
 * An order stores how the person pays, a payment and an event which company takes the money. The
 * adapters define the providers, so the database does not list them.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table orders rename column provider to payment_method`.execute(db);
  await sql`alter table orders rename constraint orders_provider to orders_payment_method`.execute(
    db,
  );
  for (const table of ['payments', 'provider_events']) {
    const constraint = sql.ref(`${table}_provider`);
    await sql`alter table ${sql.table(table)} drop constraint ${constraint}`.execute(db);
    await sql`update ${sql.table(table)}
      set provider = case provider when 'card' then 'stripe' else 'paypal' end`.execute(db);
  }
  await renameInWaitingJobs(db);
}

/** Events received before the update are processed after it. A new database has no queue yet. */
async function renameInWaitingJobs(db: Kysely<never>): Promise<void> {
  await sql`
    do $$ begin
      if to_regclass('jobs.job') is not null then
        update jobs.job
        set data = data || jsonb_build_object('provider', case data->>'provider' when 'card' then 'stripe' else 'paypal' end)
        where name = 'billing.event';
      end if;
    end $$`.execute(db);
}
