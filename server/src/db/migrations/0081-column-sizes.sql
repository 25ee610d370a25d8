-- The import counts empty and long rows, so a start need not read the sheet.
alter table sheets add column column_sizes jsonb;
