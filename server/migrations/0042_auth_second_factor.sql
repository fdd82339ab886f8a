-- Account holders: a second factor by an authenticator (TOTP), its recovery codes, and how often either was tried.

create table second_factor (
  holder_id uuid primary key references account_holder,
  -- Sealed with the installation's key, so that the database alone makes no codes.
  secret bytea not null,
  made_at timestamptz not null,
  -- Null while its first code was not yet shown: until then it is asked for nowhere.
  enabled_at timestamptz,
  -- The 30 seconds of the last code that was accepted: none before or of them is accepted again.
  last_step bigint not null default 0,
  tries int not null default 0,
  tries_since timestamptz
);

-- Each is good once, in place of an authenticator's code.
create table recovery_code (
  holder_id uuid not null references second_factor on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (holder_id, code_hash)
);
