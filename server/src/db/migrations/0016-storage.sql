-- Sizes of sheets and batches for the storage limit, and a table that tests for a full disk.
-- The last offset is the length of the rows file.
alter table sheets add column stored_bytes bigint not null
  generated always as (bytes + coalesce((offsets ->> -1)::bigint, 0)) stored;
alter table batches add column result_bytes bigint not null default 0;
update batches set result_bytes = stored.bytes
from (select batch_id, sum(octet_length(coalesce(answer, ''))) as bytes from results group by batch_id) as stored
where stored.batch_id = batches.id;
create table storage_probes (filler text not null);
alter table storage_probes alter column filler set storage external;
