-- The export of own data reads pages by id, which would otherwise sort all rows of a person.
create index single_prompts_in_order on single_prompts (user_id, id);
create index credit_entries_in_order on credit_entries (user_id, id);
