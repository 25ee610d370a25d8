import { type Kysely, sql } from 'kysely';

/** Operators edit the catalogue: a version detects simultaneous edits; the history has authors. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table tax add column currency text check (currency ~ '^[A-Z]{3}$')`.execute(db);
  await sql`alter table tax disable trigger tax_history`.execute(db);
  await sql`
    update tax set currency = coalesce((select currency from plans order by position limit 1), 'GBP')`.execute(
    db,
  );
  await sql`alter table tax enable trigger tax_history`.execute(db);
  await sql`alter table tax alter column currency set not null`.execute(db);
  for (const table of ['packs', 'plans', 'tax'])
    await sql`alter table ${sql.table(table)} add column version integer not null default 1`.execute(
      db,
    );
  await keepBothSides(db);
  await keepWhatWasTaken(db);
}

/** Stores the row before and after each change, and its author. A trigger misses no statement. */
async function keepBothSides(db: Kysely<never>): Promise<void> {
  await sql`alter table catalogue_history alter column before drop not null`.execute(db);
  await sql`alter table catalogue_history add column after jsonb`.execute(db);
  await sql`alter table catalogue_history add column actor_id text references users (id)`.execute(
    db,
  );
  await sql`
    create or replace function keep_history() returns trigger language plpgsql as $$
    declare
      was jsonb;
      becomes jsonb;
      item_id text;
    begin
      if tg_op = 'UPDATE' then new.version := old.version + 1; end if;
      if tg_op <> 'INSERT' then was := to_jsonb(old); item_id := old.id; end if;
      if tg_op <> 'DELETE' then becomes := to_jsonb(new); item_id := new.id; end if;
      insert into catalogue_history (item, item_id, before, after, actor_id, at)
      values (tg_table_name, item_id, was, becomes,
        nullif(current_setting('rowmill.editor', true), ''),
        coalesce(nullif(current_setting('rowmill.edited_at', true), '')::timestamptz, now()));
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$`.execute(db);
  for (const table of ['packs', 'plans', 'tax']) {
    await sql`create trigger ${sql.raw(`${table}_beginning`)} before insert on ${sql.table(table)}
      for each row execute function keep_history()`.execute(db);
  }
}

/** An active plan keeps the terms of its order, whatever the catalogue says later. */
async function keepWhatWasTaken(db: Kysely<never>): Promise<void> {
  await sql`alter table user_plans add column terms jsonb`.execute(db);
  await sql`
    update user_plans set terms = (
      select jsonb_build_object(
        'name', plans.name,
        'price_minor', coalesce(orders.total_minor, plans.price_minor),
        'currency', coalesce(orders.currency, plans.currency),
        'period_days', coalesce(orders.period_days, plans.period_days),
        'submissions', coalesce(orders.submissions, plans.submissions),
        'features', plans.features)
      from plans left join orders on orders.id = user_plans.order_id
      where plans.id = user_plans.plan_id)`.execute(db);
  await sql`alter table user_plans alter column terms set not null`.execute(db);
}
