-- Rates: assets and the sources that price them, snapshots that quotes name, and guards that close a price.

create table rate_asset (
  code       text         primary key,
  kind       text         not null check (kind in ('peg', 'stable', 'other')),
  peg        numeric,
  symbols    jsonb        not null default '{}',
  peg_until  timestamptz,
  check ((kind = 'peg') = (peg is not null))
);
comment on table rate_asset is 'An asset: what prices are read for.';
comment on column rate_asset.kind is
  'peg: worth a fixed sum of USD. stable: may move only a little within a minute. other: may move more.';
comment on column rate_asset.peg is 'USD for one.';
comment on column rate_asset.symbols is 'Each source''s name of the pair with USD.';
comment on column rate_asset.peg_until is
  'A peg that a person has set holds until then, and the price is old afterwards. Null: it has no end.';

create table rate_lease (
  one           boolean      primary key default true check (one),
  holder        text,
  until         timestamptz,
  clock_offset  interval     not null default '0'
);
comment on table rate_lease is
  'The one row: the worker that reads the markets now. By real time: a moved sandbox clock ends no lease.';
comment on column rate_lease.one is 'Always true, so that there is one row.';
comment on column rate_lease.clock_offset is
  'The sandbox''s offset at the last snapshot. After a move of the clock no calm minutes are owed.';

insert into rate_lease default values;

create table rate_snapshot (
  version  bigint       primary key,
  at       timestamptz  not null,
  body     jsonb        not null
);
create index rate_snapshot_at on rate_snapshot (at);
comment on table rate_snapshot is 'Prices of all assets at a moment. Quotes name its version.';
create trigger wake after insert on rate_snapshot for each statement execute function tell_wake('rates');

create table rate_guard (
  asset        text         primary key,
  reason       text         not null,
  troubled_at  timestamptz  not null
);
comment on table rate_guard is 'An asset whose price was refused. It opens again some time after `troubled_at`.';
comment on column rate_guard.troubled_at is 'Time of the last refusal.';

create table rate_minute (
  asset   text         not null,
  minute  timestamptz  not null,
  mid     numeric      not null,
  primary key (asset, minute)
);
comment on table rate_minute is 'The first price of an asset in a minute. Deviations are computed from these.';
comment on column rate_minute.mid is 'USD for one.';

create table rate_hour (
  asset  text         not null,
  hour   timestamptz  not null,
  mid    numeric      not null,
  primary key (asset, hour)
);
comment on table rate_hour is 'The price of an asset in an hour, for charts. Kept longer than minutes and snapshots.';
comment on column rate_hour.mid is 'USD for one.';
