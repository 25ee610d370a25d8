-- How the columns of a sheet are arranged in grids; null until someone arranges them.
alter table sheets add column view jsonb;
