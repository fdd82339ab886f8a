-- Calculations: customers' drafts in three steps. Each becomes one order at most, or is forgotten.

create table calculation (
  id uuid primary key,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  from_currency text not null,
  to_currency text not null,
  -- What was typed, and on which side; a quote is made of it anew until step 3 holds one.
  amount text not null,
  side text not null check (side in ('give', 'get')),
  locale text not null,
  device text,
  ip text,
  email text,
  -- Checked accounts: canonical fields and the key that identifies each.
  receive jsonb,
  refund jsonb,
  ask_me boolean not null default false,
  bot_checked boolean not null default false,
  -- The quote that step 3 holds, with the terms it was made from.
  held jsonb,
  order_id uuid unique,
  ended_at timestamptz
);

create index calculation_expires on calculation (expires_at);
