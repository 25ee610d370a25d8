-- What a batch has cost counts for the model that it had then: after another was chosen, only what
-- is added counts for that one. Before, everything moved to it.
create or replace function add_cost_of_batch() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state <> 'running' then
    insert into cost_parts select
      (coalesce(old.started_at, old.created_at) at time zone 'UTC')::date, new.model, old.user_id,
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
