-- A price may depend on the tokens of an answer; a batch then stores the highest row price.
alter table models
  add column price_tokens integer check (price_tokens > 0),
  add column answer_tokens integer check (answer_tokens > 0),
  add constraint models_price_by_size check ((price_tokens is null) = (answer_tokens is null));
alter table batches
  add column price_tokens integer check (price_tokens > 0),
  add column unit_price integer check (unit_price >= 0),
  add constraint batches_price_by_size check ((price_tokens is null) = (unit_price is null));
-- Null: the price of the batch.
alter table results add column charge integer check (charge >= 0);
alter table single_prompts add column charged integer not null default 0 check (charged >= 0);
update single_prompts set charged = amount from credit_entries
where credit_entries.user_id = single_prompts.user_id and to_bucket = 'spent'
  and cause = 'question-end:' || single_prompts.id;
