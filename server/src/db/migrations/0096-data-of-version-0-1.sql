-- Version 0.1.0 stored blank rows as failed, with this reason.
with moved as (
  update results set state = 'skipped'
  where state = 'failed' and problem = 'The row is blank: there was nothing to ask.'
  returning batch_id
), counted as (
  select batch_id, count(*)::integer as rows from moved group by batch_id
)
update batches set failed = failed - counted.rows, skipped = skipped + counted.rows
from counted where id = batch_id;

-- It counted no tokens, so what its answers cost is unknown.
update batches set unknown_costs = answered
where answered > 0 and input_tokens + output_tokens = 0 and cost = 0 and unknown_costs = 0;
update single_prompts set cost = null
where state = 'answered' and model is not null and coalesce(input_tokens + output_tokens, 0) = 0 and cost = 0;

-- Its emails that wait for the mail server. A new database has no queue yet.
do $$ begin
  if to_regclass('jobs.job') is not null then
    update jobs.job
    set data = data || jsonb_build_object('kind', 'batch_' || (data->>'kind'))
    where name = 'batches.mail' and data->>'kind' in ('completed', 'paused');
    update jobs.job
    set data = data || jsonb_build_object('name', (select name from plans where id = data->>'planId'))
    where name = 'plans.mail' and not data ? 'name';
    update jobs.job
    set data = data || '{"to": "client"}'
    where name = 'credits.low-balance' and not data ? 'to';
  end if;
end $$;
