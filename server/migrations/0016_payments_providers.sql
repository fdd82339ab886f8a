-- Providers: payments that are prepared before they can be paid, vouchers that customers enter and buy, and what a
-- provider's message may speak of.

-- What a place's payment is prepared from, and how it is paid once the provider has prepared it.
--   until        nobody waits for the payment after this
--   way          how the customer pays · provider_id: the provider's own name of it · refused: it never will be prepared
create table payin_request (
  rail text not null,
  number bigint not null,
  amount numeric(38, 0) not null,
  label text not null,
  locale text not null,
  payer jsonb not null,
  until timestamptz not null,
  way jsonb,
  provider_id text,
  refused text,
  due_at timestamptz,
  tries int not null default 0,
  primary key (rail, number),
  foreign key (rail, number) references place
) with (fillfactor = 70);
create index payin_request_due on payin_request (rail, due_at) where due_at is not null;
create index payin_request_provider_id on payin_request (rail, provider_id) where provider_id is not null;

-- A voucher that a customer entered towards a place. One voucher is entered once, wherever. `fields` are sealed.
--   stored     perhaps used · redeemed · refused: a definite no · unknown: only a look decides
create table payin_entry (
  id uuid primary key,
  rail text not null,
  number bigint not null,
  digest bytea not null,
  fields bytea not null,
  status text not null check (status in ('stored', 'using', 'redeemed', 'refused', 'unknown')),
  reason text,
  at timestamptz not null,
  due_at timestamptz,
  foreign key (rail, number) references place
);
create unique index payin_entry_digest on payin_entry (rail, digest) where status <> 'refused';
create index payin_entry_place on payin_entry (rail, number);
create index payin_entry_due on payin_entry (rail, due_at) where due_at is not null;

-- Where a refund of this very payment goes, and what the provider kept of it, as posted.
alter table payin add column source jsonb;
alter table payin add column fee numeric(38, 0) not null default 0;

-- What a payout made for its receiver (a voucher), sealed, and when it was shown.
create table payout_goods (
  payout_id uuid primary key references payout,
  goods bytea not null,
  made_at timestamptz not null,
  first_shown_at timestamptz,
  recall_at timestamptz
);
create index payout_goods_recall on payout_goods (recall_at) where recall_at is not null;
create table payout_goods_shown (
  payout_id uuid not null references payout_goods,
  at timestamptz not null,
  who text not null
);

-- A message may speak of a send of ours, or of a payment by the provider's own name of it.
alter table callback add column sent text;
alter table callback add column provider_id text;
create index callback_unproven on callback (rail, received_at) where not proven;
