-- What a provider's key allows, as an operator knows it.
alter table providers
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column tokens_per_minute integer check (tokens_per_minute > 0);
