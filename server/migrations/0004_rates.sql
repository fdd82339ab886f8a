-- Rates: what is priced and where it is asked, the snapshots that quotes name, and what keeps a price closed.

-- An asset is a price reference. `symbols` says how each source calls its pair with USD; a peg is worth a fixed sum of USD.
create table rate_asset (
  code text primary key,
  kind text not null check (kind in ('peg', 'stable', 'other')),
  peg numeric,
  symbols jsonb not null default '{}',
  check ((kind = 'peg') = (peg is not null))
);

-- One row. Whoever holds it asks the markets; it is real time, since a moved sandbox clock ends no lease.
-- `clock_offset` is the sandbox's offset at the last snapshot: when it moved, no calm minutes are owed.
create table rate_lease (
  one boolean primary key default true check (one),
  holder text,
  until timestamptz,
  clock_offset interval not null default interval '0'
);
insert into rate_lease default values;

create table rate_snapshot (
  version bigint primary key,
  at timestamptz not null,
  body jsonb not null
);
create index rate_snapshot_at on rate_snapshot (at);

-- Why an asset's price was last refused, and when; open again when that lies far enough back.
create table rate_guard (
  asset text primary key,
  reason text not null,
  troubled_at timestamptz not null
);

-- The first price of each minute in USD: what deviations are computed from.
create table rate_minute (
  asset text not null,
  minute timestamptz not null,
  mid numeric not null,
  primary key (asset, minute)
);
