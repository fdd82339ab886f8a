-- What holders take out of their wallets. The ledger has the money; here is how each withdrawal stands.

create table wallet_withdrawal (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  unit text not null,
  rail text not null,
  currency text not null,
  to_fields jsonb not null,
  to_key text not null,
  -- What arrives, and what sending it costs the holder beside that.
  parts numeric(38, 0) not null check (parts > 0),
  fee numeric(38, 0) not null check (fee >= 0),
  usd bigint not null,
  status text not null check (status in
    ('approving', 'queued', 'sending', 'in_doubt', 'sent', 'done', 'failed', 'returned', 'cancelled', 'rejected')),
  people smallint not null check (people between 0 and 2),
  txid text,
  confirmations int,
  needed int,
  -- Why it came to nothing: for the desk.
  reason text,
  decided_by text,
  asked_at timestamptz not null,
  status_at timestamptz not null
) with (fillfactor = 80);
create index wallet_withdrawal_holder on wallet_withdrawal (holder_id, asked_at desc);
create index wallet_withdrawal_waiting on wallet_withdrawal (asked_at) where status in ('approving', 'in_doubt');

-- From one holder's wallet into another's, at once.
create table wallet_transfer (
  id uuid primary key,
  from_holder uuid not null references account_holder,
  to_holder uuid not null references account_holder check (to_holder <> from_holder),
  unit text not null,
  parts numeric(38, 0) not null check (parts > 0),
  note text,
  at timestamptz not null
);
