-- The one door out of a wallet: what each holder allows, the addresses that he has written down, and what went out by itself.

create table moneyout_guard (
  holder_id uuid primary key references account_holder,
  -- Money goes only to addresses of the book while it is on; switched off, it holds for some hours more.
  list_on boolean not null default false,
  list_until timestamptz
);

create table moneyout_address (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  currency text not null,
  key text not null,
  fields jsonb not null,
  label text not null,
  added_at timestamptz not null,
  usable_at timestamptz not null,
  unique (holder_id, currency, key)
);

-- What left without anybody's approval, in cents: bounded by the day, for each holder and for the desk.
create table moneyout_passed (
  id uuid primary key,
  holder_id uuid not null,
  usd bigint not null check (usd >= 0),
  at timestamptz not null
);
create index moneyout_passed_at on moneyout_passed (at);
create index moneyout_passed_holder on moneyout_passed (holder_id, at);
