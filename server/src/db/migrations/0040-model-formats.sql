-- What each model makes of `response_format`, for every process and every start.
create table model_formats (
  provider text not null,
  model text not null,
  finding text not null check (finding in ('obeys', 'ignores', 'refuses')),
  found_at timestamptz not null,
  primary key (provider, model)
);
