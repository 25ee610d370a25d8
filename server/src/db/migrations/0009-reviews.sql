-- An operator decides about payments that differ from their order; a rejected one stays out.
alter table payments add column refused_at timestamptz;
create index payments_in_review on payments (created_at) where payment_status = 'review';
