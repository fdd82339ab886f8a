-- Account holders: who has an account, the sessions in which they are signed in, and one-time codes by their purpose.

create table account_holder (
  id uuid primary key,
  email text not null check (length(email) between 3 and 254),
  -- The same address however it is written: lower case.
  email_key text not null unique,
  email_verified_at timestamptz,
  name text not null default '' check (length(name) <= 100),
  locale text not null check (locale in ('en', 'ru')),
  created_at timestamptz not null
);

-- A session is known by a hash of its token, so that nobody who reads this table can use it.
create table session (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  token_hash bytea not null unique,
  device text not null,
  ip inet not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz
);
create index session_holder on session (holder_id) where ended_at is null;

-- A code is good for one purpose and one subject (an order, an address, an account holder): hashed, ten minutes, five tries.
create table one_time_code (
  purpose text not null,
  subject text not null,
  code_hash bytea not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  tries int not null default 0,
  primary key (purpose, subject)
) with (fillfactor = 80);
create index one_time_code_expired on one_time_code (expires_at);

-- Codes of orders live here from now on; those that are out are good for ten minutes at most and can be asked for anew.
drop table order_code;
