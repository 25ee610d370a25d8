-- An operator downloads the invoices of a period.
create index invoices_in_order on invoices (issued_at, number);
