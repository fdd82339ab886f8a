-- Referrals: affiliates, their links and campaigns, the customers bound to them, and their daily results.
-- Amounts are in parts of the unit of rewards.

create table affiliate (
  holder_id     uuid            primary key references account_holder,
  share         int             check (share between 0 and 50),
  max_split     int             check (max_split between 0 and 100),
  level         int             not null default 0,
  owed          numeric(38, 0)  not null default 0 check (owed >= 0),
  suspended_at  timestamptz,
  statements    boolean         not null default true,
  mac           uuid
);
comment on table affiliate is
  'An affiliate''s special terms and settings. Account holders without a row have the usual terms.';
comment on column affiliate.share is 'Percent of what the desk keeps, in place of the level''s.';
comment on column affiliate.max_split is 'Greatest percent of the share that friends may get.';
comment on column affiliate.level is 'Step of the ladder, by the customers of the last 30 days.';
comment on column affiliate.owed is 'Amount taken back of rewards that had been paid, and not earned since.';
comment on column affiliate.statements is 'True if a monthly statement is mailed.';
comment on column affiliate.mac is 'MAC of the row. An affiliate with a wrong one has the usual terms and is suspended.';

create table affiliate_key (
  holder_id  uuid         not null references account_holder,
  key        text         not null,
  at         timestamptz  not null,
  mac        uuid,
  primary key (holder_id, key)
);
comment on table affiliate_key is
  'Something by which an affiliate is known, as compliance knows customers, so that nobody is paid for themselves.';

create table affiliate_campaign (
  holder_id   uuid         not null references account_holder,
  name        text         not null check (name ~ '^[a-z0-9_-]{1,32}$'),
  split       int          not null check (split between 0 and 100 and (split % 10) = 0),
  postback    text,
  made_at     timestamptz  not null,
  changed_at  timestamptz  not null,
  mac         uuid,
  primary key (holder_id, name)
);
comment on table affiliate_campaign is 'A campaign of an affiliate: a name under which links are counted.';
comment on column affiliate_campaign.split is 'Percent of the share that friends get as a discount.';
comment on column affiliate_campaign.postback is 'URL that orders of the campaign are published to.';

create table affiliate_click (
  day        date  not null,
  holder_id  uuid  not null,
  campaign   text  not null,
  device     text  not null,
  primary key (day, holder_id, campaign, device)
);
comment on table affiliate_click is
  'A device that opened an affiliate''s link on a day. Each counts once. Deleted after two days.';
comment on column affiliate_click.campaign is 'Empty: none.';

create table affiliate_day (
  holder_id  uuid            not null references account_holder,
  day        date            not null,
  campaign   text            not null,
  clicks     int             not null default 0 check (clicks >= 0),
  sign_ups   int             not null default 0 check (sign_ups >= 0),
  orders     int             not null default 0,
  profit     numeric(38, 0)  not null default 0,
  reward     numeric(38, 0)  not null default 0,
  primary key (holder_id, day, campaign)
);
comment on table affiliate_day is 'A day''s results of one campaign of an affiliate. Counted as they happen.';
comment on column affiliate_day.profit is 'The desk''s profit from the orders.';

create table binding (
  customer     text         primary key,
  affiliate    uuid         not null references account_holder,
  campaign     text         not null,
  sub          text         not null,
  since        timestamptz  not null,
  until        timestamptz,
  had_ordered  boolean      not null,
  mac          uuid
);
create index binding_affiliate on binding (affiliate);
create index binding_over on binding (until) where until is not null;
comment on table binding is 'The affiliate that a customer is bound to.';
comment on column binding.customer is 'Canonical e-mail address, or `holder:<id>`.';
comment on column binding.sub is 'The affiliate''s own note of the link.';
comment on column binding.until is 'Null: for good.';
comment on column binding.had_ordered is
  'The customer had completed an order before: they get no friend''s discount and are never bound for good.';
