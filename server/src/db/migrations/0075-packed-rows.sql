-- The rows that a batch asks become a bit for each row of the sheet: see slices/row-set.ts.
alter table batches add column selected_rows text;
update batches set selected_rows = (
  select coalesce(translate(encode(string_agg(set_byte('\x00', 0, bits), '' order by place), 'base64'), E'\n', ''), '')
  from (
    select place, coalesce(sum(1 << (row & 7)), 0)::integer as bits
    from generate_series(0, (selection ->> -1)::integer >> 3) as place
      left join (select value::integer as row from jsonb_array_elements_text(selection)) as selected on row >> 3 = place
    group by place
  ) as bytes
) where selection is not null;
alter table batches drop column selection;
