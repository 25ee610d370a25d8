-- When a batch that the provider refused resumes by itself, because its quota of the day was used up.
alter table batches add column resume_at timestamptz;
