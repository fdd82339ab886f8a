-- What a rail takes of a payment in and of a payment out, as cost lines of a currency's side (money rule B1).

-- In the currency's own unit, as plain decimals: of a payin, `percent` of what is given; of a payout, of what is paid out.
create table rail_cost (
  currency text not null references currency,
  side text not null check (side in ('payin', 'payout')),
  percent text,
  fixed text,
  min text,
  cap text,
  version int not null,
  by text not null,
  at timestamptz not null,
  primary key (currency, side)
);

-- Every version that a line ever had.
create table rail_cost_history (
  currency text not null,
  side text not null,
  version int not null,
  body jsonb not null,
  by text not null,
  at timestamptz not null,
  primary key (currency, side, version)
);

-- What sending to the account of step 2 costs, where the account decides that: `{ "fuel", "parts" }` (B5).
alter table calculation add column send_cost jsonb;
