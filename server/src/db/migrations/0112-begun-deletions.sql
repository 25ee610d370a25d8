-- When a person began to delete their account. Their prompts go in steps, and what these cost stays: the
-- stored costs then no longer match the prompts, also when the last step fails and the person stays.
alter table users add column deletion_began_at timestamptz;
