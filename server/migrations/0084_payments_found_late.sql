-- A transfer that turned up after its payout had counted as not sent. What left is owed by the party until it is settled:
--   open         nobody has decided: nothing else of the party leaves
--   counted      people say that it is the payment after all: the next payout of the same money is met by it
--   met          it stands for another payout, or was settled from the owner's own money
--   returned     it came back, or never happened in the end
--   written_off  two people have given it up: a loss
create table payment_found_late (
  payout_id uuid primary key references payout,
  attempt_id uuid not null references payment_attempt,
  owner_kind text not null,
  owner_id text not null,
  party text not null,
  purpose text not null,
  currency text not null,
  unit text not null,
  parts numeric(38, 0) not null check (parts > 0),
  txid text not null,
  status text not null check (status in ('open', 'counted', 'met', 'returned', 'written_off')),
  found_at timestamptz not null,
  decided_at timestamptz,
  evidence jsonb
);
create index payment_found_late_party on payment_found_late (party) where status in ('open', 'counted');

-- Whose debt a payout would be, where it isn't its owner's own (a wallet's holder); and whether it has turned up.
alter table payout add column party text;
alter table payout add column found_late boolean not null default false;
