-- What the last complete CSV file of a batch had to change, to say so beside the download.
alter table batches
  add column file_apostrophes integer,
  add column file_replaced integer;
