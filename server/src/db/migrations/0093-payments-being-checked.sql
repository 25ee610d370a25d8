-- Whether a provider is still checking the payment of a pending order.
alter table orders add column is_processing boolean not null default false;
