-- Tells whether the process of a request without an answer was killed.
alter table idempotency_keys add column alive_at timestamptz not null default now();
