-- Compliance: levels of customers, what their orders count towards limits, unpaid orders and the reserve they hold, challenges used.

-- One e-mail in its canonical form. `finished`: has an order that was paid out, so is no mere visitor any more.
create table customer (
  email text primary key,
  level smallint not null default 0 check (level between 0 and 3),
  finished boolean not null default false,
  by text not null,
  at timestamptz not null
);

-- One row for each thing that orders may share, to lock: whoever counts a key's uses holds its row first.
create table limit_key (
  key text primary key,
  at timestamptz not null
) with (fillfactor = 50);

-- An order's sum in cents under each of its keys, while the order is open or done; gone when it came to nothing.
create table limit_use (
  order_id uuid not null,
  key text not null,
  usd numeric(38, 0) not null check (usd >= 0),
  at timestamptz not null,
  primary key (order_id, key)
);
create index limit_use_key on limit_use (key, at);

-- Orders that were placed and have no final payment, under each of their keys.
--   open · expired · cancelled (a paid one is gone)
create table unpaid_use (
  order_id uuid not null,
  key text not null,
  status text not null check (status in ('open', 'expired', 'cancelled')),
  at timestamptz not null,
  ended_at timestamptz,
  primary key (order_id, key)
) with (fillfactor = 70);
create index unpaid_use_key on unpaid_use (key, at);

-- The desk's money that an unpaid order holds, and the totals it is part of: `USDT`, `USDT visitors`, `USDT 203.0.113.0/24`.
create table unpaid_hold (
  order_id uuid primary key,
  parts numeric(38, 0) not null check (parts > 0),
  totals text[] not null
);
create table hold_total (
  key text primary key,
  parts numeric(38, 0) not null check (parts >= 0)
) with (fillfactor = 50);

-- Keys that let orders expire unpaid too often: until then their rate is locked for a short time only.
create table short_lock (
  key text primary key,
  until timestamptz not null
);

-- Solved challenges; each is good once.
create table bot_use (
  challenge text primary key,
  expires_at timestamptz not null
);
create index bot_use_expires_at on bot_use (expires_at);
