-- The people of the desk, what they asked a second person for, and a record of every act.

create table operator (
  id uuid primary key,
  name text not null unique,
  -- 'operator' runs the desk, 'compliance' decides holds and freezes.
  role text not null check (role in ('operator', 'compliance')),
  -- SHA-256 of the key; the key itself is shown once.
  key_hash bytea not null unique,
  active boolean not null default true,
  created_at timestamptz not null
);

create table operator_request (
  id uuid primary key,
  act text not null,
  subject text not null,
  -- What the second person confirms: the same act with the same content.
  body jsonb not null,
  asked_by uuid not null references operator (id),
  reason text not null,
  asked_at timestamptz not null,
  confirmed_by uuid references operator (id),
  confirmed_at timestamptz,
  check (confirmed_by is null or confirmed_by <> asked_by)
);

create unique index operator_request_open on operator_request (act, subject) where confirmed_at is null;

create table audit (
  id uuid primary key,
  at timestamptz not null,
  by text not null,
  act text not null,
  subject text not null,
  reason text not null,
  outcome text not null,
  body jsonb not null
);

create index audit_at on audit (at desc);
create index audit_subject on audit (subject, at desc);

-- The audit is added to and never changed.
create function audit_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the audit is never changed';
end $$;

create trigger audit_is_final before update or delete on audit for each row execute function audit_is_final();
