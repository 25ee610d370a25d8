-- A sheet can come from a workbook: which of its sheets, and what else its dialect sets.
alter table sheets
  add column layout jsonb not null default '{}',
  add column worksheets jsonb not null default '[]';
