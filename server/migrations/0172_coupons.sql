-- Coupons and their uses. Sums are parts of the unit of rewards.

create table coupon (
  id uuid primary key,
  -- In capitals.
  code text not null unique,
  kind text not null check (kind in ('percent', 'fixed', 'late', 'credit')),
  state text not null check (state in ('waiting', 'live', 'over', 'stopped', 'void')),
  -- Of the fee, of a percent coupon.
  percent text,
  -- Of each use of a fixed one; of a late one or a credit all of it.
  value numeric(38, 0),
  starts_at timestamptz,
  ends_at timestamptz,
  -- How often it may be used; none: as often as its budget reaches.
  uses int,
  per_customer int not null default 1,
  -- Slugs; none: every direction.
  directions text[],
  least numeric(38, 0) not null default 0,
  first_only boolean not null default false,
  -- Whose it is alone.
  email_key text,
  holder_id uuid,
  -- Uses that are held or spent; what may still be given, what is held included; what is held; what is out of its pot.
  taken int not null default 0 check (taken >= 0 and (uses is null or taken <= uses)),
  budget numeric(38, 0) not null check (budget >= 0),
  held numeric(38, 0) not null default 0 check (held >= 0 and held <= budget),
  from_pot numeric(38, 0) not null default 0 check (from_pot >= 0),
  -- What it can cost at the most.
  most numeric(38, 0) not null,
  made_by text[] not null,
  made_at timestamptz not null,
  state_at timestamptz not null
);
create index coupon_ends on coupon (ends_at) where state = 'live' and ends_at is not null;
create index coupon_waits on coupon (made_at, id) where state = 'waiting';
create index coupon_made on coupon (made_at desc, id desc);

create table coupon_use (
  id uuid primary key,
  coupon_id uuid not null references coupon,
  owner_kind text not null,
  owner_id uuid not null,
  -- What its customer is known by.
  keys text[] not null,
  state text not null check (state in ('held', 'spent', 'free')),
  held numeric(38, 0) not null,
  spent numeric(38, 0) not null default 0,
  -- What a fixed coupon could not give: the same customer may use it. Of a use of such a rest: the use whose it is.
  rest numeric(38, 0) not null default 0 check (rest >= 0),
  rest_of uuid references coupon_use,
  at timestamptz not null,
  unique (owner_id, coupon_id)
);
create index coupon_use_coupon on coupon_use (coupon_id) where state <> 'free';

alter table calculation add column coupon text;

-- The owner of the tables adds these: an act of the desk is asked for where the application adds some.
alter table desk_role disable trigger desk_role_has_act;
insert into desk_role (role, permissions, by)
  select role, permissions || array['coupons.change', 'coupons.read'], 'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest
  where role = 'operator';
alter table desk_role enable trigger desk_role_has_act;
