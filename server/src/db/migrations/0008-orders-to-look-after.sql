-- Indexes for the reconciler: orders that may still be paid, and those paid recently.
drop index orders_to_look_at;
create index orders_to_look_at on orders (created_at) where payment_status in ('pending', 'failed');
create index orders_paid on orders (paid_at) where paid_at is not null;
