-- The newest entries of a person are found in the order of an index alone, without a sort.
drop index audit_entries_of_an_actor;
create index audit_entries_of_an_actor on audit_entries (actor_id, at, id);
drop index audit_entries_of_a_subject;
create index audit_entries_of_a_subject on audit_entries (subject_id, at, id);
