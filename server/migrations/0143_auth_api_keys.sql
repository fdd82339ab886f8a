-- Keys of account holders, by which a program reads what is theirs. Of a key only a hash is kept; it is shown once.

create table api_key (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  name text not null,
  -- SHA-256: a key has 256 random bits.
  token_hash bytea not null unique,
  -- By which its holder knows it again: its first characters.
  hint text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- From where it is taken; empty for anywhere.
  networks inet[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_from inet,
  revoked_at timestamptz
);
create index api_key_holder on api_key (holder_id);
