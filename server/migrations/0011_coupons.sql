-- Coupons: discounts on the fee by a code, and each use of one. Amounts are in parts of the unit of rewards.

create table coupon (
  id             uuid            primary key,
  code           text            not null unique,
  kind           text            not null check (kind in ('percent', 'fixed', 'late', 'credit')),
  state          text            not null check (state in ('waiting', 'live', 'over', 'stopped', 'void')),
  percent        text,
  value          numeric(38, 0),
  starts_at      timestamptz,
  ends_at        timestamptz,
  uses           int,
  per_customer   int             not null default 1,
  directions     text[],
  min            numeric(38, 0)  not null default 0,
  is_first_only  boolean         not null default false,
  email_key      text,
  holder_id      uuid,
  taken          int             not null default 0,
  budget         numeric(38, 0)  not null check (budget >= 0),
  held           numeric(38, 0)  not null default 0,
  from_pot       numeric(38, 0)  not null default 0 check (from_pot >= 0),
  max            numeric(38, 0)  not null,
  made_by        text[]          not null,
  made_at        timestamptz     not null,
  state_at       timestamptz     not null,
  earned_by      uuid,
  earned_keys    text[],
  given_at       timestamptz,
  is_off         boolean         not null default false,
  mac            uuid,
  made_action    uuid,
  check (taken >= 0 and (uses is null or taken <= uses)),
  check (held >= 0 and held <= budget),
  check (kind <> 'credit' or holder_id is not null and from_pot = 0 and ends_at is null)
);
create index coupon_ends on coupon (ends_at) where state = 'live' and ends_at is not null;
create index coupon_waits on coupon (made_at, id) where state = 'waiting';
create index coupon_made on coupon (made_at desc, id desc);
create index coupon_earned on coupon using gin (earned_keys) where kind = 'late';
create index coupon_given on coupon (given_at) where kind = 'late';
create index coupon_email on coupon (email_key) where email_key is not null;
create index coupon_holder on coupon (holder_id) where holder_id is not null;
create unique index coupon_credit on coupon (holder_id) where kind = 'credit';
create unique index coupon_earned_once on coupon (earned_by) where state <> 'void';
create index coupon_earned_by on coupon (earned_by) where earned_by is not null;
create index coupon_made_action on coupon (made_action) where kind in ('percent', 'fixed');
create index coupon_open on coupon (id) where state in ('waiting', 'live');
create index coupon_held on coupon (id) where held > 0;
comment on table coupon is 'A coupon: a discount on the fee.';
comment on column coupon.code is 'In capitals.';
comment on column coupon.kind is
  'percent: of the fee. fixed: an amount for each use. late: given for an order that took too long. credit: the balance of an '
  'account holder''s prizes.';
comment on column coupon.state is
  'waiting: a late coupon that its pot or the day''s limit doesn''t cover yet. live: can be used. over: its end has come, its account is closed or '
  'nothing is left. stopped: by people. void: the order that earned it no longer counts.';
comment on column coupon.percent is 'Percentage of the fee, for a percent coupon.';
comment on column coupon.value is
  'Amount for each use of a fixed coupon. The whole amount of a late coupon or a credit.';
comment on column coupon.uses is 'Maximum number of uses. Null: as many as its budget covers.';
comment on column coupon.directions is 'Slugs. Null: every direction.';
comment on column coupon.min is 'Smallest worth of an order that takes the coupon.';
comment on column coupon.is_first_only is 'Good for a customer''s first order only.';
comment on column coupon.email_key is 'Address that it is bound to.';
comment on column coupon.holder_id is 'Account holder that it is bound to.';
comment on column coupon.taken is 'Uses that are held or spent.';
comment on column coupon.budget is 'Amount that it may still give, held amounts included.';
comment on column coupon.held is 'Amount that open uses hold.';
comment on column coupon.from_pot is 'Part of it that came out of its pot.';
comment on column coupon.max is 'Its maximum cost.';
comment on column coupon.made_by is 'The people who made it.';
comment on column coupon.earned_by is 'The order that earned a late coupon. Only one coupon of an order is not void.';
comment on column coupon.earned_keys is 'The identities of the customer of that order.';
comment on column coupon.given_at is 'Time at which a late coupon became live. A day''s sum is bounded.';
comment on column coupon.is_off is 'The holder has switched their credit off.';
comment on column coupon.mac is 'MAC of the row. A coupon with a wrong one gives nothing.';
comment on column coupon.made_action is 'Action of the desk that made it.';

create table coupon_use (
  id          uuid            primary key,
  coupon_id   uuid            not null references coupon,
  owner_kind  text            not null,
  owner_id    uuid            not null,
  keys        text[]          not null,
  state       text            not null check (state in ('held', 'spent', 'free')),
  held        numeric(38, 0)  not null,
  spent       numeric(38, 0)  not null default 0,
  rest        numeric(38, 0)  not null default 0 check (rest >= 0),
  rest_of     uuid            references coupon_use,
  at          timestamptz     not null,
  mac         uuid,
  unique (owner_id, coupon_id)
);
create index coupon_use_coupon on coupon_use (coupon_id) where state <> 'free';
create index coupon_use_keys on coupon_use using gin (keys) where state <> 'free';
create index coupon_use_rest on coupon_use (coupon_id, rest) where state = 'spent' and rest > 0;
create index coupon_use_held on coupon_use (id) where state = 'held';
comment on table coupon_use is 'An owner''s use of a coupon.';
comment on column coupon_use.keys is 'The identities of its customer.';
comment on column coupon_use.state is
  'held: its owner is open. spent: its owner was exchanged. free: it was not used after all.';
comment on column coupon_use.rest is
  'Part of a fixed coupon that this use could not give. The same customer may use it later.';
comment on column coupon_use.rest_of is 'The use whose rest this one takes.';

create table coupon_kept (
  holder_id  uuid         not null references account_holder,
  coupon_id  uuid         not null references coupon,
  at         timestamptz  not null,
  primary key (holder_id, coupon_id)
);
comment on table coupon_kept is
  'A coupon that an account holder has added to their page of discounts. Bound coupons appear there without a row.';
