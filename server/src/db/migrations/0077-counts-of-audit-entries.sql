-- The number of audit entries is a sum of parts, so that late pages are read from the end. Writers
-- add parts without a lock; one in fifty replaces free parts by their sum.
create table audit_counts (count integer not null);
insert into audit_counts select count(*) from audit_entries;

create function count_audit_entries() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  insert into audit_counts select count(*) from added;
  if random() < 0.02 then
    with merged as (
      delete from audit_counts where ctid = any (array(select ctid from audit_counts for update skip locked))
      returning count
    )
    insert into audit_counts select sum(count) from merged having count(*) > 0;
  end if;
  return null;
end $$;
create trigger audit_entries_counted after insert on audit_entries
  referencing new table as added for each statement execute function count_audit_entries();
alter table audit_counts enable row level security;
create policy in_scope on audit_counts for all using ((select is_system_scope()));
