-- Earn: prizes that anyone can check, tasks that are paid once, and where the winnings went.
-- Amounts are in parts of the unit of rewards.

create table earn_draw (
  id           uuid            primary key,
  holder_id    uuid            not null,
  customer     text,
  device       text,
  network      text,
  hour         timestamptz     not null,
  seed         bytea           not null check (length(seed) = 32),
  prizes       jsonb           not null,
  max          numeric(38, 0)  not null check (max > 0),
  state        text            not null check (state in ('open', 'claimed', 'abandoned')),
  client_seed  text,
  prize        numeric(38, 0),
  counts       numeric(38, 0)  not null,
  begun_at     timestamptz     not null,
  ends_at      timestamptz     not null,
  mac          uuid,
  whence_mac   uuid,
  unique (holder_id, hour),
  check ((state = 'claimed') = (prize is not null) and (state = 'claimed') = (client_seed is not null))
);
create index earn_draw_open on earn_draw (ends_at) include (max) where state = 'open';
create index earn_draw_customer on earn_draw (customer, hour) include (counts) where customer is not null;
create index earn_draw_device on earn_draw (device, hour) include (counts) where device is not null;
create index earn_draw_network on earn_draw (network, hour) include (counts) where network is not null;
create index earn_draw_whence on earn_draw (hour) where customer is not null or device is not null or network is not null;
create index earn_draw_abandoned on earn_draw (begun_at desc) where state = 'abandoned';
comment on table earn_draw is 'A draw. A holder has one in each hour.';
comment on column earn_draw.customer is
  'Canonical address that it was begun with. Null where that doesn''t count, and once the day is long over.';
comment on column earn_draw.device is 'Device that it was begun from. Null as above.';
comment on column earn_draw.network is 'Network that it was begun from. Null as above.';
comment on column earn_draw.seed is
  'Our secret, committed to beforehand. Together with `client_seed` it gives the prize.';
comment on column earn_draw.prizes is 'The table that it is drawn by.';
comment on column earn_draw.max is 'The greatest prize of the table.';
comment on column earn_draw.client_seed is 'The holder''s own text.';
comment on column earn_draw.counts is
  'Its share of the limits of a day: the greatest prize while it is open, the prize once it is claimed, the greatest prize of '
  'all if it is abandoned.';
comment on column earn_draw.ends_at is 'It is abandoned if it is not claimed by then.';
comment on column earn_draw.mac is
  'MAC of the row without `customer`, `device` and `network`. A draw with a wrong one gives nothing.';
comment on column earn_draw.whence_mac is 'MAC of `customer`, `device` and `network`, which are deleted after two days.';

create table earn_task (
  id         uuid            primary key,
  holder_id  uuid            not null,
  customer   text            not null,
  task       text            not null,
  parts      numeric(38, 0)  not null check (parts > 0),
  at         timestamptz     not null,
  mac        uuid,
  unique (holder_id, task),
  unique (customer, task)
);
comment on table earn_task is 'A task that a holder was paid for, once.';
comment on column earn_task.customer is 'Canonical address: one is paid once, whatever the account.';

create table earn_order (
  order_id      uuid            primary key,
  holder_id     uuid            not null,
  worth         numeric(38, 0)  not null,
  profit        numeric(38, 0)  not null,
  keys          text[]          not null,
  matures_at    timestamptz     not null,
  is_reversed   boolean         not null default false,
  qualified_at  timestamptz,
  mac           uuid
);
create index earn_order_holder on earn_order (holder_id, matures_at);
create index earn_order_qualified on earn_order using gin (keys) where qualified_at is not null;
comment on table earn_order is 'A completed order of a holder. It qualifies them for prizes.';
comment on column earn_order.worth is 'Value of the order.';
comment on column earn_order.profit is 'The desk''s profit from it.';
comment on column earn_order.keys is 'The identities of its customer: people who share one are the same customer.';
comment on column earn_order.matures_at is 'Time from which it counts.';
comment on column earn_order.qualified_at is 'Set on the first order that counted for its holder. Its keys qualify nobody else.';

create table earn_day (
  day                date            primary key,
  parts              numeric(38, 0)  not null check (parts >= 0),
  was_empty_at_noon  boolean
);
comment on table earn_day is 'Sums of the prizes, tasks and open draws of a day.';
comment on column earn_day.was_empty_at_noon is 'True if nothing was left to win at its noon. Null before that.';

create table earn_holder (
  holder_id  uuid            primary key,
  won        numeric(38, 0)  not null,
  used       numeric(38, 0)  not null default 0,
  to_wallet  numeric(38, 0)  not null default 0,
  check (used >= 0 and used <= won),
  check (to_wallet >= 0 and to_wallet <= used)
);
comment on table earn_holder is 'A holder''s winnings so far.';
comment on column earn_holder.used is 'Part of them that was used: as credit, put into the wallet, or given up.';
comment on column earn_holder.to_wallet is 'Part of `used` that was put into the wallet.';

create table earn_out (
  id         uuid            primary key,
  holder_id  uuid            not null,
  way        text            not null check (way in ('credit', 'wallet', 'given_up')),
  parts      numeric(38, 0)  not null check (parts > 0),
  at         timestamptz     not null,
  mac        uuid
);
create index earn_out_holder on earn_out (holder_id);
comment on table earn_out is 'An amount that left a holder''s winnings.';
comment on column earn_out.way is 'credit: for fees. wallet: into the wallet. given_up: as the account was closed.';
