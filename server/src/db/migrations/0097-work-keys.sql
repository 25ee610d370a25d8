-- The keys of earlier versions match no request. New ones belong to one request and last a day.
update single_prompts set ask_key = null where ask_key is not null;
update batches set start_key = null where start_key is not null;
update orders set order_key = null where order_key is not null;
create index single_prompts_with_key on single_prompts (asked_at) where ask_key is not null;
create index batches_with_key on batches (started_at) where start_key is not null;
create index orders_with_key on orders (created_at) where order_key is not null;
