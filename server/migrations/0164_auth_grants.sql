-- Auth: what account holders were granted on resources of others (a business, a store). Which permissions a role has, and who has
-- which role where, are histories: rows are added and never changed, the newest counts.

create table resource_role (
  seq bigint generated always as identity primary key,
  resource_kind text not null,
  role text not null,
  permissions text[] not null,
  since timestamptz not null default now(),
  by text not null
);
create index resource_role_newest on resource_role (resource_kind, role, seq desc);

create table resource_grant (
  seq bigint generated always as identity primary key,
  holder_id uuid not null references account_holder,
  resource_kind text not null,
  resource_id text not null,
  -- None: they have nothing there any more.
  role text,
  since timestamptz not null default now(),
  by text not null
);
create index resource_grant_newest on resource_grant (holder_id, resource_kind, resource_id, seq desc);

create function resource_grants_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'the history of grants is never changed';
end $$;

create trigger resource_role_is_final before update or delete on resource_role for each row execute function resource_grants_are_final();
create trigger resource_grant_is_final before update or delete on resource_grant for each row execute function resource_grants_are_final();
