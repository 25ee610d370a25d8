-- Batches that resume by themselves after the provider refused them.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('batch_completed', 'batch_paused', 'batch_resumed', 'payment', 'low_balance'));
