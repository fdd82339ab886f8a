-- Referrals: by what they send us customers, and how many came. Sums are parts of the unit of rewards.

-- A name beside the code, which the desk gives to monitors; and the campaign that a newcomer came by.
alter table account_holder
  add column referral_alias text unique check (referral_alias ~ '^[a-z0-9_-]{1,31}$'),
  add column referred_campaign text;

create table affiliate_campaign (
  holder_id uuid not null references account_holder,
  name text not null check (name ~ '^[a-z0-9_-]{1,32}$'),
  -- Percent of the share that its friends get as a discount.
  split int not null check (split between 0 and 100 and split % 10 = 0),
  postback text,
  made_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (holder_id, name)
);

-- Devices that came by a link on a day, so that each counts once; kept for two days.
create table affiliate_click (
  day date not null,
  holder_id uuid not null,
  -- Empty: none.
  campaign text not null,
  device text not null,
  primary key (day, holder_id, campaign, device)
);

-- What a day brought: counted as it happens, so that nobody ever adds up clicks or orders.
create table affiliate_day (
  holder_id uuid not null references account_holder,
  day date not null,
  campaign text not null,
  clicks int not null default 0 check (clicks >= 0),
  sign_ups int not null default 0 check (sign_ups >= 0),
  orders int not null default 0,
  profit numeric(38, 0) not null default 0,
  reward numeric(38, 0) not null default 0,
  primary key (holder_id, day, campaign)
);
