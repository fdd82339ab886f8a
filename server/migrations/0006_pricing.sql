-- Pricing: currencies as customers know them, directions with all that prices them, what sending costs on each rail.

-- What a rail doesn't say itself: name, kind, order, and how many confirmations to expect, in short.
create table currency (
  code text primary key,
  name text not null,
  kind text not null check (kind in ('crypto', 'ewallet')),
  confirmations text not null,
  position int not null
);

-- `spread`: steps by amount given, `[{ "from": "0", "percent": "0.5" }]`. `costs`: lines of rail and destination in the
-- unit given, `[{ "code", "percent"?, "fixed"?, "min"?, "cap"? }]`; the network's own costs are added to them.
-- `min`, `max`: the operator's own bounds in the unit given, within what the rules allow.
create table direction (
  slug text primary key,
  from_code text not null references currency,
  to_code text not null references currency,
  spread jsonb not null,
  costs jsonb not null default '[]',
  min text,
  max text,
  is_on boolean not null,
  position int not null,
  version int not null,
  by text not null,
  at timestamptz not null,
  unique (from_code, to_code)
);

-- Every version that a direction ever had.
create table direction_history (
  slug text not null,
  version int not null,
  body jsonb not null,
  by text not null,
  at timestamptz not null,
  primary key (slug, version)
);

-- What sending one payout costs now, in parts of the fuel. Real time: a moved sandbox clock makes no estimate old.
create table network_cost (
  currency text primary key,
  fuel text not null,
  parts numeric(38, 0) not null check (parts >= 0),
  at timestamptz not null
);
