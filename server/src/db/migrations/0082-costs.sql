-- The cost of an answer is stored with it, in trillionths of the currency. Earlier batches and
-- prompts get what their tokens cost by the present costs of their models.
alter table results add column cost bigint check (cost >= 0);
-- Numeric: a provider that counts nonsense must not overflow a sum and so keep answers out.
alter table batches
  add column cost numeric not null default 0,
  add column unknown_costs integer not null default 0;
alter table single_prompts
  add column cost bigint check (cost >= 0),
  add column model text;

-- A model that is not set up under this name may be asked for under it by only one that is.
with prices as (
  select name, input_cost, coalesce(cached_cost, input_cost) as cached_cost, output_cost from models
  union
  select min(asked_as), min(input_cost), min(coalesce(cached_cost, input_cost)), min(output_cost) from models
  where asked_as not in (select name from models) group by asked_as having count(*) = 1
), counted as (
  select id, null as prompt, model, input_tokens, cached_tokens, output_tokens from batches
  union all
  select null, id, split_part(answered_by, ' at ', 1), input_tokens, cached_tokens, output_tokens from single_prompts
), costs as (
  select counted.id as batch, prompt, counted.model, case when coalesce(input_tokens + output_tokens, 0) = 0 then 0
    else (input_tokens - cached_tokens)::numeric * input_cost + cached_tokens::numeric * cached_cost
      + output_tokens::numeric * output_cost end as cost
  from counted left join prices on prices.name = counted.model
  where counted.model is not null
), of_batches as (
  update batches set
    cost = coalesce(costs.cost, 0),
    unknown_costs = case when costs.cost is null then greatest(answered, 1) else 0 end
  from costs where costs.batch = batches.id
)
update single_prompts set model = costs.model, cost = costs.cost
from costs where costs.prompt = single_prompts.id;
