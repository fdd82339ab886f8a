-- Affiliates: what those earn who send customers. Sums are parts of the unit of rewards.

-- Orders of customers whom somebody sent.
create table referred_order (
  order_id uuid primary key,
  -- What others are told it by.
  reference uuid not null unique default gen_random_uuid(),
  affiliate uuid not null references account_holder,
  -- Who sent the affiliate.
  second uuid references account_holder,
  campaign text not null,
  sub text not null,
  give text not null,
  get text not null,
  -- Its customer's canonical address, for counting customers; forgotten with the month.
  customer text,
  -- Percent of the kept that the friend was promised: the affiliate's share is no less for this order.
  friend_percent text not null default '0',
  placed_at timestamptz not null,
  completed_at timestamptz,
  matures_at timestamptz,
  reversed_at timestamptz,
  -- What the desk kept of it, and what it was worth (cents of USD); as it was completed.
  profit numeric(38, 0),
  worth numeric(38, 0),
  -- Why no reward is earned by itself; none: nothing is shared.
  shared text
);
create index referred_order_matured on referred_order (affiliate, matures_at) where matures_at is not null;

create table reward (
  id uuid primary key,
  order_id uuid not null references referred_order,
  -- 1: who sent the customer · 2: who sent that affiliate.
  tier int not null check (tier in (1, 2)),
  holder_id uuid not null references account_holder,
  state text not null check (state in ('waiting', 'case', 'pending', 'available', 'reversed', 'refused', 'given_up')),
  parts numeric(38, 0) not null check (parts > 0),
  -- Why people look at it first.
  reason text,
  matures_at timestamptz not null,
  made_at timestamptz not null,
  state_at timestamptz not null
);
create unique index reward_once on reward (order_id, tier) where state <> 'reversed';
create index reward_waits on reward (made_at, id) where state = 'waiting';
create index reward_matures on reward (matures_at, id) where state = 'pending';
create index reward_cases on reward (made_at, id) where state = 'case';
create index reward_holder on reward (holder_id, made_at desc, id desc);

-- What left the rewards otherwise than by a withdrawal: into the holder's wallet, or given up as the account was closed.
create table affiliate_out (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  how text not null check (how in ('wallet', 'given_up')),
  parts numeric(38, 0) not null check (parts > 0),
  at timestamptz not null
);
create index affiliate_out_holder on affiliate_out (holder_id);

-- The owner of the tables adds these: an act of the desk is asked for where the application adds some.
alter table desk_role disable trigger desk_role_has_act;
insert into desk_role (role, permissions, by)
  select role, permissions || array['affiliates.change', 'affiliates.read'], 'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest
  where role = 'operator';
alter table desk_role enable trigger desk_role_has_act;
