-- Orders: what the machine looks at, the timeline that every change is a row of, and one-time codes for choices.

create table customer_order (
  id uuid primary key,
  -- The number for people.
  number text not null unique,
  kind text not null check (kind in ('order', 'stray')),
  state text not null,
  -- Rises by one with each event; the newest seq of the timeline.
  version int not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When a timer of the machine is due next.
  due_at timestamptz,
  give_currency text not null,
  get_currency text,
  give_parts numeric(38, 0) not null,
  get_parts numeric(38, 0),
  usd numeric(38, 0) not null,
  email text not null,
  -- Whose orders are one customer's, whatever way the address is written.
  customer text not null,
  locale text not null,
  device text,
  ip text,
  calculation_id uuid unique,
  -- The order whose payment this stray is.
  stray_of uuid,
  token_version int not null default 1,
  pay_to text,
  pay_memo text,
  finished_at timestamptz,
  -- What the order was promised, written once; and everything else that the machine looks at. Kept exactly (`exact-json.ts`).
  pinned jsonb not null,
  body jsonb not null
) with (fillfactor = 60);

create index customer_order_due on customer_order (due_at) where due_at is not null;
create index customer_order_state on customer_order (state, updated_at);
create index customer_order_created on customer_order (created_at desc);
create index customer_order_customer on customer_order (customer, created_at desc);
create index customer_order_done on customer_order (finished_at desc) where state = 'completed';
create index customer_order_stray on customer_order (stray_of) where stray_of is not null;

create table order_event (
  -- Also the id of the journal that the event posted.
  id uuid not null,
  order_id uuid not null,
  seq int not null,
  at timestamptz not null,
  -- Who: a letter of the machine's table, and for people the name after it (`O olga`).
  who text not null,
  event text not null,
  from_state text not null,
  to_state text not null,
  why text not null default '',
  body jsonb not null default '{}',
  primary key (order_id, seq)
);

-- One-time codes for choices that decide about money: hashed, ten minutes, five tries.
create table order_code (
  order_id uuid primary key,
  code_hash bytea not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  tries int not null default 0
);

-- What went out without an operator: cents by desk and customer, parts by currency; summed by the hour (money rule A2).
create table payout_use (
  key text not null,
  hour timestamptz not null,
  amount numeric(38, 0) not null,
  primary key (key, hour)
) with (fillfactor = 50);

-- Payments whose senders an outside service is asked about, before they count; only where one is configured.
create table payment_screening (
  payin_id uuid primary key,
  currency text not null,
  senders text[] not null,
  verdict text check (verdict in ('clean', 'soft', 'hard')),
  at timestamptz not null
);
create index payment_screening_open on payment_screening (at) where verdict is null;
