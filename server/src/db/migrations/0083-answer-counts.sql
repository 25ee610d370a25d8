-- How many answers a person has had is the sum of parts, so that it takes no longer with a million
-- prompts. Batches that run are not in it: their own counts change with every stored answer. One
-- change in twenty replaces the parts of a person by their sum.
create table answer_counts (
  user_id text not null references users (id),
  answered bigint not null,
  failed bigint not null
);
create index answer_counts_of_user on answer_counts (user_id);
create index batches_running_of_user on batches (user_id) where state = 'running';
insert into answer_counts
select user_id, sum(answered), sum(failed) from (
  select user_id, answered, failed from batches where state <> 'running'
  union all
  select user_id, (state = 'answered')::integer, (state = 'failed')::integer from single_prompts
  where batch_id is null
) counted group by user_id having sum(answered + failed) > 0;

create function merge_answer_counts(person text) returns void language plpgsql as $$
begin
  with merged as (
    delete from answer_counts where ctid = any (array(
      select ctid from answer_counts where user_id = person for update skip locked))
    returning answered, failed
  )
  insert into answer_counts
  select person, sum(answered), sum(failed) from merged having sum(answered + failed) > 0;
end $$;

create function count_answers_of_batch() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state <> 'running' then
    insert into answer_counts values (old.user_id, -old.answered, -old.failed);
  end if;
  if tg_op <> 'DELETE' and new.state <> 'running' then
    insert into answer_counts values (new.user_id, new.answered, new.failed);
    if random() < 0.05 then perform merge_answer_counts(new.user_id); end if;
  end if;
  return null;
end $$;

create function count_single_prompts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into answer_counts
    select user_id, -count(*) filter (where state = 'answered'), -count(*) filter (where state = 'failed')
    from removed where batch_id is null and state <> 'asking' group by user_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into answer_counts
    select user_id, count(*) filter (where state = 'answered'), count(*) filter (where state = 'failed')
    from added where batch_id is null and state <> 'asking' group by user_id;
    if random() < 0.05 then
      perform merge_answer_counts(user_id) from (select distinct user_id from added) people;
    end if;
  end if;
  return null;
end $$;
create trigger batch_answers_counted after insert or delete on batches
  for each row execute function count_answers_of_batch();
create trigger batch_answers_counted_again after update of state, answered, failed, user_id on batches
  for each row when ((old.state <> 'running' or new.state <> 'running')
    and (old.state, old.answered, old.failed, old.user_id) is distinct from (new.state, new.answered, new.failed, new.user_id))
  execute function count_answers_of_batch();
create trigger single_prompts_counted after insert on single_prompts
  referencing new table as added for each statement execute function count_single_prompts();
create trigger single_prompts_counted_again after update on single_prompts
  referencing old table as removed new table as added for each statement execute function count_single_prompts();
create trigger single_prompts_uncounted after delete on single_prompts
  referencing old table as removed for each statement execute function count_single_prompts();
alter table answer_counts enable row level security;
create policy in_scope on answer_counts for all
  using ((select is_system_scope()) or user_id = any ((select people_in_scope())::text[]));
drop index credit_entries_spent;
create index credit_entries_spent on credit_entries (user_id, at) include (amount)
where to_bucket = 'spent';
