-- The mark of a demo's database. The operator that only a demo creates shows an earlier one.
create table demo_mark (id integer primary key check (id = 1));
insert into demo_mark (id)
select 1 where exists (select from users where email = 'operator@demo.test' and role_id = 3);

-- Password hashes were in base64url; the PHC format uses plain base64.
update users set password_hash = translate(password_hash, '-_', '+/') where password_hash is not null;

-- A stored answer is deleted with everything it names. Earlier answers name their person.
alter table idempotency_keys
  add column about text[] not null default '{}',
  add column is_dropped boolean not null default false;
update idempotency_keys set about = array[user_id];
create index idempotency_keys_about on idempotency_keys using gin (about);
alter policy in_scope on idempotency_keys using (
  (select is_system_scope())
  or user_id = any ((select people_in_scope())::text[])
  or user_id = nullif(current_setting('rowmill.actor', true), '')
  or about && (select people_in_scope())::text[]);

-- People choose the names of variables, and audit entries outlive the account.
alter table audit_entries disable trigger audit_entries_append_only;
update audit_entries set detail = '{}' where act = 'variable_changed';
alter table audit_entries enable trigger audit_entries_append_only;
