-- Tells whether a transaction was committed when the reply to its commit was lost.
create table transaction_receipts (
  id text primary key,
  created_at timestamptz not null default now()
);
