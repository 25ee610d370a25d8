-- What the answers of a day, a model and a client cost is stored, so that the costs of a year take
-- no longer with a million prompts. A change adds a part and locks nothing; a job adds the parts to
-- the sums. Batches that run are not in it: their own figures change with every stored answer.
-- Deleted prompts of a deleted person stay in it, because their answers were paid.
create table cost_sums (
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
);
-- Only operators see costs, so the functions below run as the owner of the tables.
alter table cost_sums enable row level security;
create policy in_scope on cost_sums for all using ((select is_system_scope()));

create table cost_parts (like cost_sums, foreign key (user_id) references users (id));
alter table cost_parts enable row level security;
create policy in_scope on cost_parts for all using ((select is_system_scope()));
alter table cost_sums add primary key (day, model, user_id);
insert into cost_sums
select day, model, user_id, sum(answers), sum(submissions), sum(input_tokens), sum(cached_tokens),
  sum(output_tokens), sum(reasoning_tokens), sum(cost), sum(unknown_costs)
from (
  select (coalesce(started_at, created_at) at time zone 'UTC')::date as day, model, user_id,
    answered as answers, charged as submissions, input_tokens, cached_tokens, output_tokens,
    reasoning_tokens, cost, unknown_costs
  from batches
  where state <> 'running' and answered + unknown_costs + input_tokens + output_tokens > 0
  union all
  select (asked_at at time zone 'UTC')::date, model, user_id,
    (state = 'answered')::integer, charged, coalesce(input_tokens, 0), coalesce(cached_tokens, 0),
    coalesce(output_tokens, 0), coalesce(reasoning_tokens, 0), coalesce(cost, 0), (cost is null)::integer
  from single_prompts where model is not null and state <> 'asking'
) stored group by day, model, user_id;

-- A batch counts on the day of its start.
create function add_cost_of_batch() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state <> 'running' then
    insert into cost_parts select
      (coalesce(old.started_at, old.created_at) at time zone 'UTC')::date, old.model, old.user_id,
      -old.answered, -old.charged, -old.input_tokens, -old.cached_tokens,
      -old.output_tokens, -old.reasoning_tokens, -old.cost, -old.unknown_costs
    where old.answered + old.unknown_costs + old.input_tokens + old.output_tokens > 0;
  end if;
  if new.state <> 'running' then
    insert into cost_parts select
      (coalesce(new.started_at, new.created_at) at time zone 'UTC')::date, new.model, new.user_id,
      new.answered, new.charged, new.input_tokens, new.cached_tokens,
      new.output_tokens, new.reasoning_tokens, new.cost, new.unknown_costs
    where new.answered + new.unknown_costs + new.input_tokens + new.output_tokens > 0;
  end if;
  return null;
end $$;

-- A failed prompt may have used tokens too.
create function add_cost_of_prompt() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state <> 'asking' then
    insert into cost_parts select
      (old.asked_at at time zone 'UTC')::date, old.model, old.user_id,
      -(old.state = 'answered')::integer, -old.charged,
      -coalesce(old.input_tokens, 0), -coalesce(old.cached_tokens, 0),
      -coalesce(old.output_tokens, 0), -coalesce(old.reasoning_tokens, 0),
      -coalesce(old.cost, 0), -(old.cost is null)::integer;
  end if;
  insert into cost_parts select
    (new.asked_at at time zone 'UTC')::date, new.model, new.user_id,
    (new.state = 'answered')::integer, new.charged,
    coalesce(new.input_tokens, 0), coalesce(new.cached_tokens, 0),
    coalesce(new.output_tokens, 0), coalesce(new.reasoning_tokens, 0),
    coalesce(new.cost, 0), (new.cost is null)::integer;
  return null;
end $$;

create trigger batch_cost_added after insert on batches
  for each row when (new.state <> 'running') execute function add_cost_of_batch();
create trigger batch_cost_added_again after update of state, user_id, model, started_at, answered, charged,
  input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, unknown_costs on batches
  for each row when ((old.state <> 'running' or new.state <> 'running')
    and (old.state, old.user_id, old.model, old.started_at, old.answered, old.charged,
      old.input_tokens, old.cached_tokens, old.output_tokens, old.reasoning_tokens, old.cost, old.unknown_costs)
    is distinct from (new.state, new.user_id, new.model, new.started_at, new.answered, new.charged,
      new.input_tokens, new.cached_tokens, new.output_tokens, new.reasoning_tokens, new.cost, new.unknown_costs))
  execute function add_cost_of_batch();
create trigger prompt_cost_added after insert or update on single_prompts
  for each row when (new.model is not null and new.state <> 'asking') execute function add_cost_of_prompt();
