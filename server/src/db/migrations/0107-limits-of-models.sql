-- What the limits of a provider count. These providers limit each model.
alter table providers add column limits_per text not null default 'key'
  check (limits_per in ('key', 'model'));
update providers set limits_per = 'model'
where kind <> 'openai'
  or substring(lower(address) from '^https?://([^/:?]+)') in (
    'api.openai.com', 'generativelanguage.googleapis.com', 'api.groq.com', 'api.mistral.ai',
    'api.x.ai', 'api.cerebras.ai'
  );

alter table models
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column tokens_per_minute integer check (tokens_per_minute > 0);
