-- The overview is counted from these indexes. Answered rows do not change their columns.
create index batches_by_start on batches (started_at) where started_at is not null;
create index orders_by_payment on orders (paid_at) where paid_at is not null;
create index credit_accounts_frozen on credit_accounts (frozen_at) where frozen_at is not null;
