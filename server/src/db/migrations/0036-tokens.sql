-- The tokens that a provider counted, and who answered. Null: unknown.
alter table results
  add column input_tokens integer,
  add column cached_tokens integer,
  add column output_tokens integer,
  add column reasoning_tokens integer,
  add column answered_by text;
alter table single_prompts
  add column input_tokens integer,
  add column cached_tokens integer,
  add column output_tokens integer,
  add column reasoning_tokens integer,
  add column answered_by text;
-- With failed rows that were retried, so it can be more than the sum over the rows.
alter table batches
  add column input_tokens bigint not null default 0,
  add column cached_tokens bigint not null default 0,
  add column output_tokens bigint not null default 0,
  add column reasoning_tokens bigint not null default 0;
