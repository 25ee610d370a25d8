-- Refunds of rejected payments: how often the provider refused, and its last reason.
alter table payments add column give_back_refusals integer not null default 0, add column give_back_problem text;
