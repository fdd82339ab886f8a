-- Operator: the call that a request was made by, so that a second person can consent to it by its id.

alter table operator_request add column call jsonb;

-- When a person's key was last changed, and since when the person is of the desk no more.
alter table operator add column key_since timestamptz;
update operator set key_since = created_at;
alter table operator alter column key_since set not null;
alter table operator add column revoked_at timestamptz;
