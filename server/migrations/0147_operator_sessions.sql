-- Operator: second factors and sessions of the desk's people. With real money a key alone does nothing but begin a session.

create table operator_factor (
  operator_id uuid primary key references operator (id),
  -- Sealed, with whose it is.
  secret bytea not null,
  made_at timestamptz not null,
  enabled_at timestamptz,
  -- The half minute of the last code that was accepted: no code is good twice.
  last_step bigint not null default 0,
  -- Wrong codes since a moment.
  tries int not null default 0,
  tried_since timestamptz
);

create table operator_session (
  id uuid primary key,
  operator_id uuid not null references operator (id),
  -- SHA-256: a token has 256 random bits.
  token_hash bytea not null unique,
  ip inet,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index operator_session_operator on operator_session (operator_id);

insert into desk_role (role, permissions, by)
  select role, array_append(permissions, 'session.begin'), 'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest;
