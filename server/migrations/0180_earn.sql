-- Prizes and tasks. Sums are parts of the unit of rewards.

create table earn_draw (
  id uuid primary key,
  holder_id uuid not null,
  -- Whose mailbox and from where it was begun; null where that doesn't count, and once the day is long over.
  customer text,
  device text,
  network text,
  -- The hour that it is of: a holder has one draw in each.
  hour timestamptz not null,
  seed bytea not null check (length(seed) = 32),
  -- The table that it is drawn by, and the greatest prize in it.
  prizes jsonb not null,
  most numeric(38, 0) not null check (most > 0),
  state text not null check (state in ('open', 'claimed', 'abandoned')),
  client_seed text,
  prize numeric(38, 0),
  -- What it takes of a day's bounds: open its greatest prize, claimed its prize, abandoned as much as a prize may ever be.
  counts numeric(38, 0) not null,
  begun_at timestamptz not null,
  ends_at timestamptz not null,
  unique (holder_id, hour),
  check ((state = 'claimed') = (prize is not null) and (state = 'claimed') = (client_seed is not null))
);
create index earn_draw_open on earn_draw (ends_at) include (most) where state = 'open';
create index earn_draw_customer on earn_draw (customer, hour) include (counts) where customer is not null;
create index earn_draw_device on earn_draw (device, hour) include (counts) where device is not null;
create index earn_draw_network on earn_draw (network, hour) include (counts) where network is not null;
create index earn_draw_whence on earn_draw (hour) where customer is not null or device is not null or network is not null;
create index earn_draw_abandoned on earn_draw (begun_at desc) where state = 'abandoned';

create table earn_task (
  id uuid primary key,
  holder_id uuid not null,
  -- Whose mailbox it is, however it is spelt.
  customer text not null,
  task text not null,
  parts numeric(38, 0) not null check (parts > 0),
  at timestamptz not null,
  unique (holder_id, task),
  unique (customer, task)
);

-- What a day's prizes, tasks and open draws come to, and whether anything was left to win at its noon.
create table earn_day (
  day date primary key,
  parts numeric(38, 0) not null check (parts >= 0),
  was_empty_at_noon boolean
);

-- What a holder has won, what of it went on, and of that what went into the wallet.
create table earn_holder (
  holder_id uuid primary key,
  won numeric(38, 0) not null,
  used numeric(38, 0) not null default 0 check (used >= 0 and used <= won),
  to_wallet numeric(38, 0) not null default 0 check (to_wallet >= 0 and to_wallet <= used)
);

create table earn_out (
  id uuid primary key,
  holder_id uuid not null,
  way text not null check (way in ('credit', 'wallet', 'given_up')),
  parts numeric(38, 0) not null check (parts > 0),
  at timestamptz not null
);
create index earn_out_holder on earn_out (holder_id);

-- Completed orders of holders: what each was worth and what the desk earned by it.
create table earn_order (
  order_id uuid primary key,
  holder_id uuid not null,
  worth numeric(38, 0) not null,
  profit numeric(38, 0) not null,
  -- What its customer is known by: people who share one are the same customer.
  keys text[] not null,
  matures_at timestamptz not null,
  is_reversed boolean not null default false,
  -- It was the first order that counted for its holder: none of its keys qualifies anybody else.
  qualified_at timestamptz
);
create index earn_order_holder on earn_order (holder_id, matures_at);
create index earn_order_qualified on earn_order using gin (keys) where qualified_at is not null;
