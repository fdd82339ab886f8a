-- Wallets of account holders: which units they hold, where they are paid into, and what arrived there.

create table wallet (
  holder_id uuid not null references account_holder,
  unit text not null,
  opened_at timestamptz not null,
  primary key (holder_id, unit)
);

-- Where a holder pays in one currency. Its id owns the place that payments watches for ever.
create table wallet_place (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  currency text not null,
  pay_to text not null,
  memo text,
  opened_at timestamptz not null,
  unique (holder_id, currency)
);

-- A payment into a wallet, by payments' own id. Money of the holder's only while it is `final`.
create table wallet_deposit (
  payin_id uuid primary key,
  place_id uuid not null references wallet_place,
  holder_id uuid not null references account_holder,
  currency text not null,
  unit text not null,
  parts numeric(38, 0) not null check (parts > 0),
  txid text not null,
  status text not null check (status in ('seen', 'checking', 'final', 'dropped', 'reversed')),
  confirmations int not null,
  needed int not null,
  seen_at timestamptz not null,
  final_at timestamptz
) with (fillfactor = 80);
create index wallet_deposit_holder on wallet_deposit (holder_id, seen_at desc);
