-- What leaves by itself is counted once, as a row for each payout, in the transaction that queues it: the windows slide, and
-- orders, withdrawals and refunds are one sum. What was stopped, refused or came back has no row any more.

create table moneyout_counted (
  payout_id uuid primary key,
  kind text not null,
  -- A signed-in holder, else the address that an order was placed with: `holder:<id>`, `email:<address>`.
  customer text not null,
  -- Cents, and parts of the currency that is sent.
  usd bigint not null check (usd >= 0),
  currency text not null,
  parts numeric(38, 0) not null check (parts > 0),
  at timestamptz not null
);
create index moneyout_counted_at on moneyout_counted (at) include (usd);
create index moneyout_counted_customer on moneyout_counted (customer, at);
create index moneyout_counted_currency on moneyout_counted (currency, at);
drop table payout_use;
drop table moneyout_passed;

-- How many people have let a withdrawal out; none of what goes by itself.
alter table wallet_withdrawal add column approved smallint not null default 0 check (approved between 0 and 2);
