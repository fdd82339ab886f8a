-- Referrals: who sent a customer, and on which terms. Sums are parts of the unit of rewards.

-- What is an affiliate's own: a row only where something is. Everybody with an account may send others.
create table affiliate (
  holder_id uuid primary key references account_holder,
  -- Percent of what the desk keeps, in place of the level's; and what of it friends may get at the most.
  share int check (share between 0 and 50),
  split_most int check (split_most between 0 and 100),
  -- The step of the ladder, by the customers of the last 30 days.
  level int not null default 0,
  -- What was taken back of rewards that had gone out, and was not earned since.
  owed numeric(38, 0) not null default 0 check (owed >= 0),
  suspended_at timestamptz,
  -- Whether what a month has brought is mailed.
  statements boolean not null default true
);

-- Whose customers are bound to whom: by canonical address, or `holder:<id>`.
create table binding (
  customer text primary key,
  affiliate uuid not null references account_holder,
  campaign text not null,
  sub text not null,
  since timestamptz not null,
  -- None: for good.
  until timestamptz,
  -- They had completed an order before: no friend's discount, and never for good.
  had_ordered boolean not null
);
create index binding_affiliate on binding (affiliate);
-- Who was sent before there were rewards stays so for good.
insert into binding (customer, affiliate, campaign, sub, since, had_ordered)
  select 'holder:' || id, referred_by, '', '', created_at, false from account_holder where referred_by is not null;

-- What an affiliate is known by, so that nobody is paid for themselves: keys of compliance.
create table affiliate_key (
  holder_id uuid not null references account_holder,
  key text not null,
  at timestamptz not null,
  primary key (holder_id, key)
);

-- The visit by which a calculation came.
alter table calculation add column reference jsonb;
