import { type Kysely, sql } from 'kysely';

/**
 * What the answers of a day, a model and a client cost is stored, so that the costs of a year take
 * no longer with a million prompts. A change adds a part and locks nothing; a job adds the parts to
 * the sums. Batches that run are not in it: their own figures change with every stored answer.
 * Deleted prompts of a deleted person stay in it, because their answers were paid.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ['cost_sums', 'cost_parts']) {
    const table = sql.table(name);
    await sql`
      create table ${table} (
        day date not null,
        model text not null,
        user_id text not null references users (id),
        answers bigint not null,
        submissions bigint not null,
        input_tokens bigint not null,
        cached_tokens bigint not null,
        output_tokens bigint not null,
        reasoning_tokens bigint not null,
        cost numeric not null,
        unknown_costs bigint not null
      )`.execute(db);
    await sql`alter table ${table} enable row level security`.execute(db);
    // Only operators see costs, so the functions below run as the owner of the tables.
    await sql`create policy in_scope on ${table} for all using ((select is_system_scope()))`.execute(
      db,
    );
  }
  await sql`alter table cost_sums add primary key (day, model, user_id)`.execute(db);
  await sql`
    insert into cost_sums
    select day, model, user_id, sum(answers), sum(submissions), sum(input_tokens), sum(cached_tokens), sum(output_tokens),
      sum(reasoning_tokens), sum(cost), sum(unknown_costs)
    from (
      select ${ofBatch('batches')} from batches where state <> 'running' and ${isUsed('batches')}
      union all
      select ${ofPrompt('single_prompts')} from single_prompts where model is not null and state <> 'asking'
    ) stored group by day, model, user_id`.execute(db);
  await addTriggers(db);
}

async function addTriggers(db: Kysely<never>): Promise<void> {
  await sql`
    create function add_cost_of_batch() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' and old.state <> 'running' then
        insert into cost_parts select ${ofBatch('old', '-')} where ${isUsed('old')};
      end if;
      if new.state <> 'running' then
        insert into cost_parts select ${ofBatch('new')} where ${isUsed('new')};
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create function add_cost_of_prompt() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' and old.state <> 'asking' then
        insert into cost_parts select ${ofPrompt('old', '-')};
      end if;
      insert into cost_parts select ${ofPrompt('new')};
      return null;
    end $$`.execute(db);
  await sql`create trigger batch_cost_added after insert on batches
    for each row when (new.state <> 'running') execute function add_cost_of_batch()`.execute(db);
  const columns = `state, user_id, model, started_at, answered, charged,
    input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, unknown_costs`;
  const all = (row: string) => `(${columns.replaceAll(/\w+/g, `${row}.$&`)})`;
  await sql`create trigger batch_cost_added_again after update of ${sql.raw(columns)} on batches
    for each row when ((old.state <> 'running' or new.state <> 'running')
      and ${sql.raw(all('old'))} is distinct from ${sql.raw(all('new'))})
    execute function add_cost_of_batch()`.execute(db);
  await sql`create trigger prompt_cost_added after insert or update on single_prompts
    for each row when (new.model is not null and new.state <> 'asking') execute function add_cost_of_prompt()`.execute(
    db,
  );
}

/** A batch counts on the day of its start. */
function ofBatch(row: string, sign = '') {
  return sql.raw(`
    (coalesce(${row}.started_at, ${row}.created_at) at time zone 'UTC')::date as day, ${row}.model, ${row}.user_id,
    ${sign}${row}.answered as answers, ${sign}${row}.charged as submissions, ${sign}${row}.input_tokens as input_tokens,
    ${sign}${row}.cached_tokens as cached_tokens, ${sign}${row}.output_tokens as output_tokens,
    ${sign}${row}.reasoning_tokens as reasoning_tokens, ${sign}${row}.cost as cost, ${sign}${row}.unknown_costs as unknown_costs`);
}

function isUsed(row: string) {
  return sql.raw(
    `${row}.answered + ${row}.unknown_costs + ${row}.input_tokens + ${row}.output_tokens > 0`,
  );
}

/** A failed prompt may have used tokens too. */
function ofPrompt(row: string, sign = '') {
  const tokens = ['input', 'cached', 'output', 'reasoning'].map(
    (kind) => `${sign}coalesce(${row}.${kind}_tokens, 0) as ${kind}_tokens`,
  );
  return sql.raw(`
    (${row}.asked_at at time zone 'UTC')::date as day, ${row}.model, ${row}.user_id,
    ${sign}(${row}.state = 'answered')::integer as answers, ${sign}${row}.charged as submissions, ${tokens.join(', ')},
    ${sign}coalesce(${row}.cost, 0) as cost, ${sign}(${row}.cost is null)::integer as unknown_costs`);
}
