-- What a person thinks of an answer. Each batch counts its judgements and their versions.
alter table results
  add column judgement text check (judgement in ('right', 'wrong', 'later')),
  add column note text,
  add column correction text;
alter table batches
  add column judged_right integer not null default 0,
  add column judged_wrong integer not null default 0,
  add column judged_later integer not null default 0,
  add column judgement_version integer not null default 0;
