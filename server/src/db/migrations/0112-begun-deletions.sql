-- When a person deleted their account, or a part of it: their prompts go in steps, and what these cost
-- stays. The stored costs then no longer match the prompts, also when the last step fails.
alter table users add column deletion_began_at timestamptz;
