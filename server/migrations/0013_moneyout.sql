-- Moneyout: the address books and allow-lists of account holders, and payouts that left without an approval.

create table moneyout_guard (
  holder_id   uuid         primary key references account_holder,
  is_list_on  boolean      not null default false,
  list_until  timestamptz,
  mac         uuid
);
comment on table moneyout_guard is 'An account holder''s choices about their allow-list.';
comment on column moneyout_guard.is_list_on is 'While on, money leaves only to addresses of the book that are old enough.';
comment on column moneyout_guard.list_until is 'A list that was switched off holds until then.';
comment on column moneyout_guard.mac is 'MAC of the row. If it is invalid, the list stays on.';

create table moneyout_address (
  id         uuid         primary key,
  holder_id  uuid         not null references account_holder,
  currency   text         not null,
  key        text         not null,
  fields     jsonb        not null,
  label      text         not null,
  added_at   timestamptz  not null,
  usable_at  timestamptz  not null,
  mac        uuid,
  unique (holder_id, currency, key)
);
comment on table moneyout_address is 'An address in the book of an account holder.';
comment on column moneyout_address.key is 'The account in the form by which it is compared.';
comment on column moneyout_address.usable_at is 'Time from which the allow-list lets money go there.';
comment on column moneyout_address.mac is 'MAC of the row. An address with a wrong one is ignored.';

create table moneyout_counted (
  payout_id  uuid            primary key,
  kind       text            not null,
  customer   text            not null,
  usd        bigint          not null check (usd >= 0),
  currency   text            not null,
  parts      numeric(38, 0)  not null check (parts > 0),
  at         timestamptz     not null,
  mac        uuid
);
create index moneyout_counted_at on moneyout_counted (at) include (usd);
create index moneyout_counted_customer on moneyout_counted (customer, at);
create index moneyout_counted_currency on moneyout_counted (currency, at);
comment on table moneyout_counted is
  'A payout that left without an approval. Sums over sliding windows are bounded. Deleted if the payout was stopped, failed or '
  'came back.';
comment on column moneyout_counted.kind is 'Kind of its owner.';
comment on column moneyout_counted.customer is '`holder:<id>` for a signed-in holder, else `email:<address>`.';
comment on column moneyout_counted.usd is 'Cents.';
comment on column moneyout_counted.parts is 'Minor units of the currency that is sent.';
