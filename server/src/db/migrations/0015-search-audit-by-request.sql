-- The id of a request is looked for in the whole audit log.
create index audit_entries_of_a_request on audit_entries (request_id);
