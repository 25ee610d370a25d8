-- The same as orders_by_payment.
drop index orders_paid;
-- The token of the app authorises nothing, and nothing reads it.
alter table sessions drop column app_token_hash;
-- No link to an invoice or to results was ever sent.
delete from email_links where purpose in ('invoice', 'results');
alter table email_links
  drop constraint email_links_purpose,
  add constraint email_links_purpose check (purpose in ('verify_email', 'change_email', 'reset_password', 'invitation'));
