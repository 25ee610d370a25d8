-- An account with a failed ledger check starts no new work.
alter table credit_accounts add column frozen_at timestamptz;
