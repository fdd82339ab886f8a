-- Payments: places, pay-ins, payouts and their attempts, what payments itself posts, and what the rails say they hold.

-- What we last knew of a rail. While it isn't up nothing is credited or paid on it; `retry_at` is the circuit breaker.
create table rail_state (
  rail text primary key,
  up boolean not null,
  detail text not null,
  since timestamptz not null,
  checked_at timestamptz not null,
  failures int not null default 0,
  retry_at timestamptz,
  height bigint not null default 0,
  top_height bigint not null default 0,
  hash text not null default ''
) with (fillfactor = 50);

-- The next number of a place on a rail. Numbers are never given twice.
create table place_counter (
  rail text primary key,
  next_number bigint not null
);

-- Our own receiving places: derived ahead, free until an owner takes one, watched for ever from then on.
--   close_until   looked at often · live_until: looked at regularly, then by the week
--   unfinished    a payment to it is not final yet · settling: one is final and still followed
--   may_hold      our coins or tokens may lie there
--   look          counts observations, so that a late answer can't overwrite a newer one
--   asked         somebody wants it looked at again while a look is under way
create table place (
  rail text not null,
  number bigint not null,
  to_text text not null,
  memo text,
  to_key text not null,
  currency text not null,
  owner_kind text,
  owner_id text,
  customer text,
  expected numeric(38, 0),
  taken_at timestamptz,
  from_height bigint not null default 0,
  close_until timestamptz,
  live_until timestamptz,
  unfinished boolean not null default false,
  settling boolean not null default false,
  may_hold boolean not null default false,
  due_at timestamptz,
  look bigint not null default 0,
  asked boolean not null default false,
  primary key (rail, number)
) with (fillfactor = 70);
create index place_free on place (rail, currency, number) where owner_id is null;
create index place_due on place (rail, due_at) where due_at is not null;
create index place_unfinished on place (rail) where unfinished;
create index place_may_hold on place (rail, number) where may_hold;
create index place_owner on place (owner_id);
create index place_key on place (lower(to_key));

-- A payment to one of our places, as we know it. `usd`: cents at first sight, for the depth that it must reach.
-- `deep`: at a depth where it counts as no exposure. `followed`: a reorg is still looked for. `spent`: its coin is gone.
create table payin (
  id uuid primary key,
  rail text not null,
  key text not null,
  number bigint not null,
  owner_kind text not null,
  owner_id text not null,
  customer text not null,
  currency text not null,
  unit text not null,
  place text not null check (place in ('hot', 'deposit')),
  is_foreign boolean not null,
  parts numeric(38, 0) not null check (parts > 0),
  txid text not null,
  senders text[] not null,
  status text not null check (status in ('seen', 'final', 'dropped', 'reversed')),
  is_back boolean not null default false,
  fee_ok boolean not null,
  usd numeric(38, 0),
  height bigint,
  block text,
  confirmations int not null,
  finalised boolean not null,
  needed int not null,
  deep boolean not null,
  followed boolean not null,
  seen_at timestamptz not null,
  first_confirmed_at timestamptz,
  final_at timestamptz,
  missing_since timestamptz,
  spent boolean not null default false,
  unique (rail, key),
  foreign key (rail, number) references place
) with (fillfactor = 70);
create index payin_place on payin (rail, number);
create index payin_shallow_customer on payin (rail, customer) where not deep;
create index payin_shallow_txid on payin (rail, txid) where not deep;
create index payin_shallow_block on payin (rail, block) where not deep;
create index payin_owner on payin (owner_id);

-- One sum to be sent to one account. The id is the intent's: the reference everywhere.
create table payout (
  id uuid primary key,
  owner_kind text not null,
  owner_id text not null,
  purpose text not null check (purpose in ('payout', 'refund', 'capital')),
  rail text not null,
  currency text not null,
  unit text not null,
  parts numeric(38, 0) not null check (parts > 0),
  to_fields jsonb not null,
  to_key text not null,
  status text not null check (status in
    ('queued', 'preparing', 'sending', 'in_doubt', 'sent', 'final', 'failed', 'stopped')),
  attempt_id uuid,
  txid text,
  reason text,
  tries int not null default 0,
  due_at timestamptz,
  confirmations int not null default 0,
  dedupe_over boolean not null default false,
  evidence jsonb,
  created_at timestamptz not null,
  status_at timestamptz not null
) with (fillfactor = 60);
create index payout_waiting on payout (rail, due_at, id) where status in ('queued', 'preparing');
create index payout_pending on payout (currency) where status in ('queued', 'preparing', 'sending', 'in_doubt');
create index payout_attempt_id on payout (attempt_id) where status in ('sending', 'in_doubt', 'sent', 'final');
create index payout_owner on payout (owner_id);

-- One signed send: of payouts, of gas to a place (`fuel`), of what lies there to the hot wallet (`collect`).
--   stored    signed and kept, perhaps sent · doubtful: no clear answer · sent: the rail has it
--   final · refused: a definite no · absent: can never happen any more · replaced: another spends the same
-- `is_frozen`: people have decided about one of its payouts, so it is never sent again.
-- `replaces`: an earlier one that spends the same · `child_of`: one whose change this spends, to pay a higher fee.
-- The bytes of one attempt never change. `due_at` is empty once nobody looks at it any more.
create table payment_attempt (
  id uuid primary key,
  rail text not null,
  purpose text not null check (purpose in ('payout', 'fuel', 'collect')),
  replaces uuid,
  child_of uuid,
  reference text not null,
  items uuid[] not null,
  number bigint,
  currency text,
  parts numeric(38, 0),
  raw text not null,
  spends text[] not null,
  nonce bigint,
  change_index bigint,
  fee_currency text not null,
  fee numeric(38, 0) not null,
  fee_known text not null check (fee_known in ('sent', 'mined')),
  fee_posted boolean not null default false,
  expires_at timestamptz,
  status text not null check (status in ('stored', 'doubtful', 'sent', 'final', 'refused', 'absent', 'replaced')),
  txid text,
  height bigint,
  confirmations int not null default 0,
  tries int not null default 0,
  due_at timestamptz,
  stored_at timestamptz not null,
  last_sent_at timestamptz,
  accepted_at timestamptz,
  missing_since timestamptz,
  is_frozen boolean not null default false
) with (fillfactor = 60);
create unique index payment_attempt_reference on payment_attempt (rail, reference);
create index payment_attempt_due on payment_attempt (rail, due_at) where due_at is not null;
create index payment_attempt_open on payment_attempt (rail) where status in ('stored', 'doubtful', 'sent', 'replaced');
create index payment_attempt_replaces on payment_attempt (replaces) where replaces is not null;
create index payment_attempt_nonce on payment_attempt (rail, nonce desc)
  where nonce is not null and purpose <> 'collect' and status <> 'refused';

-- Who may choose inputs and nonces of a rail's wallet now: one worker at a time, fenced by the token.
create table rail_wallet (
  rail text primary key,
  token bigint not null,
  leased_until timestamptz not null,
  change_index bigint not null default 0
) with (fillfactor = 50);

-- What payments itself posts: the event row whose id is the journal's. `legs` are the ledger's, as JSON.
create table payment_event (
  id uuid primary key,
  kind text not null,
  cause uuid not null,
  legs jsonb not null,
  prices jsonb not null,
  detail jsonb not null,
  at timestamptz not null,
  posted_at timestamptz,
  due_at timestamptz,
  tries int not null default 0,
  last_error text
);
create index payment_event_due on payment_event (due_at) where posted_at is null;
create index payment_event_cause on payment_event (cause);

-- What a rail says it holds and can send, and of that what no payout waits for.
create table rail_balance (
  rail text not null,
  currency text not null,
  place text not null,
  unit text not null,
  parts numeric(38, 0) not null,
  payable numeric(38, 0) not null,
  free numeric(38, 0) not null,
  read_at timestamptz not null,
  primary key (currency, place)
) with (fillfactor = 50);

-- The books beside what the rail says; `difference` is what nothing in flight explains (above zero: the rail has more).
create table reconciliation (
  currency text not null,
  place text not null,
  unit text not null,
  books numeric(38, 0) not null,
  rail_says numeric(38, 0) not null,
  coming numeric(38, 0) not null,
  going numeric(38, 0) not null,
  difference numeric(38, 0) not null,
  at timestamptz not null,
  since timestamptz,
  primary key (currency, place)
);

-- Messages from providers, kept as they came before they are answered; a proven one is a hint to look now.
create table callback (
  id uuid primary key,
  rail text not null,
  digest bytea not null,
  raw bytea not null,
  headers jsonb not null,
  proven boolean not null,
  target text,
  received_at timestamptz not null,
  copies int not null default 1,
  due_at timestamptz,
  tries int not null default 0,
  outcome text,
  unique (rail, digest)
);
create index callback_due on callback (due_at) where due_at is not null;

-- What the signer may read before it signs.
do $$ begin
  grant select (id, rail, currency, unit, parts, to_fields, to_key, purpose, status) on payout to kurs_signer;
exception when undefined_object then null;
end $$;
