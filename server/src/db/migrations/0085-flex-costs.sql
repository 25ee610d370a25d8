-- What the flex tier of a model costs, in percent of its normal tier. OpenAI bills half.
alter table models add column flex_cost_percent integer not null default 50
  check (flex_cost_percent between 0 and 100);
