create table sheets (
  id text primary key,
  user_id text not null references users (id),
  actor_id text not null references users (id),
  name text not null,
  bytes bigint not null check (bytes >= 0),
  encoding text not null,
  delimiter text not null,
  header boolean not null,
  is_sure boolean not null,
  columns jsonb not null,
  rows integer not null check (rows >= 0),
  blank_rows integer not null check (blank_rows >= 0),
  candidates jsonb not null,
  sample jsonb not null,
  report jsonb not null,
  metadata jsonb not null,
  offsets jsonb not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index sheets_of_a_user on sheets (user_id, created_at);

create table variables (
  user_id text not null references users (id),
  name text not null,
  value text not null,
  primary key (user_id, name)
);

create table batches (
  id text primary key,
  user_id text not null references users (id),
  actor_id text not null references users (id),
  sheet_id text not null references sheets (id),
  name text not null,
  state text not null constraint batches_state check (state in ('ready', 'running', 'paused', 'stopped', 'completed')),
  pause_reason text constraint batches_pause_reason
    check (pause_reason in ('person', 'needs_credits', 'provider_refused', 'provider_down', 'storage_full')),
  pause_detail text,
  told_reason text,
  question text not null,
  variables jsonb not null,
  options jsonb not null,
  model text not null,
  price integer not null check (price >= 0),
  selection jsonb,
  is_partial boolean not null default false,
  fingerprint text not null,
  start_key text,
  rows integer not null check (rows >= 0),
  answered integer not null default 0 check (answered >= 0),
  failed integer not null default 0 check (failed >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  held bigint not null default 0 constraint batches_held check (held >= 0),
  charged bigint not null default 0 check (charged >= 0),
  position integer not null default 0,
  slices integer not null default 0,
  mark_at timestamptz,
  mark_rows integer not null default 0,
  older_at timestamptz,
  older_rows integer not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  deleted_at timestamptz,
  constraint batches_start_key unique (user_id, start_key),
  constraint batches_counts check (answered + failed <= rows),
  constraint a_pause_has_a_reason check ((state = 'paused') = (pause_reason is not null))
);
create index batches_of_a_user on batches (user_id, created_at);
create index batches_under_way on batches (state) where state in ('running', 'paused');

create table slices (
  batch_id text not null references batches (id),
  first integer not null,
  count integer not null check (count > 0),
  state text not null constraint slices_state check (state in ('queued', 'idle', 'done')),
  primary key (batch_id, first)
);
create index slices_to_do on slices (batch_id, state, first) where state <> 'done';

create table results (
  batch_id text not null references batches (id),
  row integer not null,
  state text not null constraint results_state check (state in ('answered', 'failed')),
  answer text,
  problem text,
  primary key (batch_id, row)
);
create index results_that_failed on results (batch_id, row) where state = 'failed';

create table questions (
  id text primary key,
  user_id text not null references users (id),
  actor_id text not null references users (id),
  template text not null,
  batch_id text references batches (id),
  sheet_name text,
  rows integer not null,
  state text not null constraint questions_state check (state in ('asking', 'answered', 'failed')),
  held bigint not null default 0 check (held >= 0),
  answer text,
  problem text,
  ask_key text,
  asked_at timestamptz not null,
  constraint questions_ask_key unique (user_id, ask_key)
);
create index questions_of_a_user on questions (user_id, asked_at);
create index questions_being_asked on questions (asked_at) where state = 'asking';
create table rests (model text primary key, until timestamptz not null);
