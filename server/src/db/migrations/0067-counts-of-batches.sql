-- The number of a person's batches in each state is a sum of parts. A change adds parts and locks
-- nothing, so batches change side by side; `mergeCounts` replaces the parts by their sums.
create table batch_counts (
  user_id text not null references users (id),
  state text not null,
  count integer not null
);
create index batch_counts_of_user on batch_counts (user_id);
insert into batch_counts select user_id, state, count(*) from batches where deleted_at is null group by user_id, state;

create function count_batch() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    insert into batch_counts values (old.user_id, old.state, -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    insert into batch_counts values (new.user_id, new.state, 1);
  end if;
  return null;
end $$;
create trigger batches_counted after insert or delete on batches
  for each row execute function count_batch();
-- Answers change neither column, so they do not call it.
create trigger batches_counted_again after update of state, deleted_at, user_id on batches
  for each row when ((old.state, old.deleted_at, old.user_id) is distinct from (new.state, new.deleted_at, new.user_id))
  execute function count_batch();
alter table batch_counts enable row level security;
create policy in_scope on batch_counts for all
  using ((select is_system_scope()) or user_id = any ((select people_in_scope())::text[]));
