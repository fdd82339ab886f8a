-- Pricing: currencies as customers know them, directions with all that prices them, and the costs of rails.

create table currency (
  code           text  primary key,
  name           text  not null,
  kind           text  not null check (kind in ('crypto', 'ewallet')),
  confirmations  text  not null,
  position       int   not null,
  feed_code      text  unique
);
comment on table currency is 'A currency as customers know it: what its rail doesn''t say itself.';
comment on column currency.confirmations is 'Expected number of confirmations, as short text.';
comment on column currency.position is 'Place in lists.';
comment on column currency.feed_code is 'Name at exchange monitors, such as `USDTERC20`. Null: it isn''t in the rates feed.';
create trigger wake after insert or update or delete on currency for each statement execute function tell_wake('offers');

create table direction (
  slug       text         primary key,
  from_code  text         not null references currency,
  to_code    text         not null references currency,
  spread     jsonb        not null,
  costs      jsonb        not null default '[]',
  min        text,
  max        text,
  is_on      boolean      not null,
  position   int          not null,
  version    int          not null,
  by         text         not null,
  at         timestamptz  not null,
  unique (from_code, to_code)
);
comment on table direction is 'A direction that the desk offers, with all that prices it.';
comment on column direction.slug is 'Name in addresses of pages and in the API.';
comment on column direction.spread is 'Steps by the amount given: `[{"from": "0", "percent": "0.5"}]`.';
comment on column direction.costs is
  'Costs of rail and destination in the unit given: `[{"code", "percent"?, "fixed"?, "min"?, "cap"?}]`. The network''s costs '
  'are added to them.';
comment on column direction.min is 'The desk''s own least amount in the unit given, within what the rules allow.';
comment on column direction.max is 'The desk''s own greatest amount in the unit given, within what the rules allow.';

create table direction_history (
  slug     text         not null,
  version  int          not null,
  body     jsonb        not null,
  by       text         not null,
  at       timestamptz  not null,
  primary key (slug, version)
);
comment on table direction_history is 'Every version that a direction ever had.';
create trigger wake after insert or update or delete on direction for each statement execute function tell_wake('offers');

create table rail_cost (
  currency  text         not null references currency,
  side      text         not null check (side in ('payin', 'payout')),
  percent   text,
  fixed     text,
  min       text,
  cap       text,
  version   int          not null,
  by        text         not null,
  at        timestamptz  not null,
  primary key (currency, side)
);
comment on table rail_cost is
  'A rail''s charge for payments in a currency, on one side, as a line of costs. Decimal texts in the currency''s unit.';
comment on column rail_cost.percent is
  'Percentage of the amount given for a payment in, and of the amount paid out for a payment out.';

create table rail_cost_history (
  currency  text         not null,
  side      text         not null,
  version   int          not null,
  body      jsonb        not null,
  by        text         not null,
  at        timestamptz  not null,
  primary key (currency, side, version)
);
comment on table rail_cost_history is 'Every version that a line of costs ever had.';
create trigger wake after insert or update or delete on rail_cost for each statement execute function tell_wake('offers');

create table network_cost (
  currency  text            primary key,
  fuel      text            not null,
  parts     numeric(38, 0)  not null check (parts >= 0),
  at        timestamptz     not null
);
comment on table network_cost is 'Current cost of sending one payout in a currency.';
comment on column network_cost.fuel is 'Currency that the cost is paid in.';
comment on column network_cost.at is 'By real time: a moved sandbox clock makes no estimate old.';
create trigger wake after insert on network_cost for each row execute function tell_wake('offers');
create trigger wake_changed after update on network_cost for each row
  when (old.parts is distinct from new.parts) execute function tell_wake('offers');
