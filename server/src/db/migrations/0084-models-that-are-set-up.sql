-- Whether operators had set up the model of a batch. Without its settings, the batch would be asked
-- at the provider of the environment, which may not be the one that was chosen.
alter table batches add column is_model_set_up boolean not null default false;
update batches set is_model_set_up = true where model in (select name from models);
