import { type Kysely, sql } from 'kysely';

/** Suspended people, former clients of admins, and the spending limits of clients. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table users add column suspended_at timestamptz`.execute(db);
  await sql`
    create table former_clients (
      client_id text not null references users (id),
      admin_id text not null references users (id),
      left_at timestamptz not null,
      primary key (client_id, admin_id)
    )`.execute(db);
  await sql`
    create table client_limits (
      user_id text primary key references users (id),
      monthly_limit bigint check (monthly_limit >= 0),
      low_balance_at bigint check (low_balance_at >= 0),
      told_low_at timestamptz
    )`.execute(db);
  await sql`
    insert into client_limits (user_id, low_balance_at) select id, 20 from users where admin_id is not null
  `.execute(db);
  await sql`create index credit_entries_spent on credit_entries (user_id, at) where to_pot = 'spent'`.execute(
    db,
  );
  await sql`create index audit_entries_by_time on audit_entries (at)`.execute(db);
  await sql`create index audit_entries_of_an_actor on audit_entries (actor_id, at)`.execute(db);
}
