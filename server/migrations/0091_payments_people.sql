-- Payments: what people say of payments against their rail's silence, the standing difference of books and rails, and capital
-- that no rail has shown yet.

-- `decided`: people have said how it stands (its provider took it back and tells nobody); what its rail shows changes it no more.
alter table payin add column decided boolean not null default false;
create index payin_txid on payin (txid);

-- Each word of two people on a payment, with the statement that they had; never changed.
create table payin_word (
  id uuid primary key,
  payin_id uuid not null references payin (id),
  word text not null check (word in ('take_back', 'restore')),
  parts numeric(38, 0),
  evidence text not null,
  by text[] not null,
  at timestamptz not null
);
create index payin_word_payin on payin_word (payin_id);

-- When the rail itself says that its figure is of.
alter table rail_balance add column own_at timestamptz;

-- `judged_at`: the last comparison with a balance that is later than the last movement; `judged`: its difference.
-- `off_since`: since when the rail has had so much less that nothing is promised.
alter table reconciliation add column judged_at timestamptz;
alter table reconciliation add column judged numeric(38, 0);
alter table reconciliation add column off_since timestamptz;

-- Capital that was booked and that its rail has not shown; gone once it has.
create table capital_claim (
  id uuid primary key,
  currency text not null,
  place text not null,
  unit text not null,
  parts numeric(38, 0) not null check (parts > 0),
  at timestamptz not null
);
