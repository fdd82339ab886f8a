-- Affiliates: orders of referred customers, the rewards for them, and the payments out of the rewards.
-- Amounts are in parts of the unit of rewards.

create table referred_order (
  order_id        uuid            primary key,
  reference       uuid            not null default gen_random_uuid() unique,
  affiliate       uuid            not null references account_holder,
  second          uuid            references account_holder,
  campaign        text            not null,
  sub             text            not null,
  give            text            not null,
  get             text            not null,
  customer        text,
  friend_percent  text            not null default '0',
  placed_at       timestamptz     not null,
  completed_at    timestamptz,
  matures_at      timestamptz,
  reversed_at     timestamptz,
  profit          numeric(38, 0),
  worth           numeric(38, 0),
  shared          text,
  second_shared   text,
  mac             uuid
);
create index referred_order_matured on referred_order (affiliate, matures_at) where matures_at is not null;
create index referred_order_customer_matured on referred_order (matures_at) where customer is not null;
create index referred_order_customer_placed on referred_order (placed_at) where customer is not null and matures_at is null;
comment on table referred_order is 'An order of a customer whom an affiliate sent.';
comment on column referred_order.reference is 'Name of the order towards others.';
comment on column referred_order.affiliate is 'Account holder who sent the customer.';
comment on column referred_order.second is 'Account holder who sent that affiliate.';
comment on column referred_order.sub is 'The affiliate''s own note of the link.';
comment on column referred_order.customer is 'Canonical address, to count customers. Deleted after a month.';
comment on column referred_order.friend_percent is
  'Percent of what the desk keeps that the friend was promised. The affiliate''s share is no less for this order.';
comment on column referred_order.profit is 'The desk''s profit from it at its completion.';
comment on column referred_order.worth is 'Value in cents at its completion.';
comment on column referred_order.shared is
  'Identities that customer and affiliate share, so that people decide about its rewards. Null: none.';
comment on column referred_order.second_shared is
  'Identities that customer and `second` share, so that people decide about the second level''s reward. Null: none.';
comment on column referred_order.mac is 'MAC of the row. An order with a wrong one earns nothing.';

create table reward (
  id          uuid            primary key,
  order_id    uuid            not null references referred_order,
  tier        int             not null check (tier in (1, 2)),
  holder_id   uuid            not null references account_holder,
  state       text            not null,
  parts       numeric(38, 0)  not null check (parts > 0),
  reason      text,
  matures_at  timestamptz     not null,
  made_at     timestamptz     not null,
  state_at    timestamptz     not null,
  mac         uuid,
  given_up    numeric(38, 0)  not null default 0,
  check (state in ('waiting', 'case', 'pending', 'available', 'reversed', 'refused', 'given_up')),
  check (given_up >= 0 and given_up <= parts)
);
create unique index reward_once on reward (order_id, tier) where state <> 'reversed';
create index reward_waits on reward (made_at, id) where state = 'waiting';
create index reward_matures on reward (matures_at, id) where state = 'pending';
create index reward_cases on reward (made_at, id) where state = 'case';
create index reward_holder on reward (holder_id, made_at desc, id desc);
create index reward_open on reward (holder_id) where state in ('waiting', 'case', 'pending');
create index reward_made on reward using brin (made_at);
create index reward_given_up on reward (holder_id) where given_up > 0;
comment on table reward is 'A reward: a share of the desk''s profit from an order.';
comment on column reward.tier is '1: for the affiliate who sent the customer. 2: for the one who sent that affiliate.';
comment on column reward.state is
  'waiting: for the pot. case: for people. pending: set aside, not mature. available: mature. reversed: its order was taken '
  'back. refused: by people. given_up: as the account was closed.';
comment on column reward.reason is 'Why people decide about it.';
comment on column reward.given_up is
  'Amount that went back to the pot when the account was closed, after it had matured.';

create table affiliate_out (
  id         uuid            primary key,
  holder_id  uuid            not null references account_holder,
  how        text            not null check (how in ('wallet', 'given_up')),
  parts      numeric(38, 0)  not null check (parts > 0),
  at         timestamptz     not null,
  mac        uuid
);
create index affiliate_out_holder on affiliate_out (holder_id);
comment on table affiliate_out is 'An amount that left an affiliate''s rewards otherwise than by a withdrawal.';
comment on column affiliate_out.how is 'wallet: into the wallet. given_up: as the account was closed.';
