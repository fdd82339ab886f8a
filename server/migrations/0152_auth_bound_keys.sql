-- A key may be for one resource of its holder's alone (a store), in place of all that is theirs.
alter table api_key
  add column resource_kind text,
  add column resource_id text,
  add constraint api_key_resource check ((resource_kind is null) = (resource_id is null));
