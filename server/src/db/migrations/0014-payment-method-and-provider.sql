-- An order stores how the person pays, a payment and an event which company takes the money. The
-- adapters define the providers, so the database does not list them.
alter table orders rename column provider to payment_method;
alter table orders rename constraint orders_provider to orders_payment_method;
alter table payments drop constraint payments_provider;
update payments
  set provider = case provider when 'card' then 'stripe' else 'paypal' end;
alter table provider_events drop constraint provider_events_provider;
update provider_events
  set provider = case provider when 'card' then 'stripe' else 'paypal' end;

-- Events received before the update are processed after it. A new database has no queue yet.
do $$ begin
  if to_regclass('jobs.job') is not null then
    update jobs.job
    set data = data || jsonb_build_object('provider', case data->>'provider' when 'card' then 'stripe' else 'paypal' end)
    where name = 'billing.event';
  end if;
end $$;
