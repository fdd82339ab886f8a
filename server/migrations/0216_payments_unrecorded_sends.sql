-- Sends that a chain, a provider or the signer's journal knows and the books don't: somebody else signs with our keys, or this
-- database is an older copy. While one of a rail is open, nothing is sent on that rail. Two people end it:
--   open       nobody has decided
--   booked     it counts as sent, for its payout or as the desk's
--   explained  people have said what it was, and that it is no payout of these books
create table unrecorded_send (
  id uuid primary key,
  rail text not null,
  source text not null check (source in ('chain', 'provider', 'journal')),
  -- The transaction or transfer as its rail names it; of a chain that shows only a used nonce, that nonce.
  reference text not null,
  -- What it consumed: a nonce or outpoints, as attempts name them. Null where the rail knows none.
  spend text,
  -- Nonces that it stands for, both ends included; null on rails without nonces.
  first_nonce bigint,
  last_nonce bigint,
  -- The payout of these books that it seems to be. No foreign key: an older copy may lack the payout.
  payout_id uuid,
  currency text,
  parts numeric(38, 0) check (parts > 0),
  receiver text,
  -- When its rail says that it happened, and when we found it.
  seen_at timestamptz,
  found_at timestamptz not null,
  state text not null check (state in ('open', 'booked', 'explained')),
  decided_at timestamptz,
  evidence jsonb,
  mac uuid not null,
  unique (rail, reference),
  check ((state = 'open') = (decided_at is null))
);
create index unrecorded_send_nonce on unrecorded_send (rail, last_nonce) where last_nonce is not null;

-- When what left a rail's own account was last compared with the books, and how far its history was read by then.
create table send_comparison (
  rail text primary key,
  compared_at timestamptz not null,
  read_to text
);
