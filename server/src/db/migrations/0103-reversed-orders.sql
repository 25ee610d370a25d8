-- What refunds and disputes have taken of an order's price, also disputes that are still open.
alter table orders add column reversed_minor bigint not null default 0 check (reversed_minor between 0 and total_minor);
update orders set reversed_minor = least(total_minor, gone.minor)
from (
  select order_id, sum(amount_minor) as minor from reversals join payments on payments.id = payment_id
  where state <> 'returned' group by order_id
) gone
where gone.order_id = orders.id;

-- A payment is disputed until its disputes are decided. Lost ones count as refunds.
create temporary table disputed as
select order_id from reversals join payments on payments.id = payment_id where kind = 'dispute' and state = 'open';
update payments set payment_status = case when payments.refunded_minor = total_minor then 'refunded' else 'paid' end
from orders
where orders.id = order_id and payments.payment_status = 'disputed' and order_id not in (select order_id from disputed);
update orders set payment_status = case when refunded_minor = total_minor then 'refunded' else 'paid' end
where payment_status = 'disputed' and id not in (select order_id from disputed);
drop table disputed;
