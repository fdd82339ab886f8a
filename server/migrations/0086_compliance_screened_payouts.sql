-- Where payouts go is screened once more as they leave; asked while no transaction is open, so each waits as a row.

create table screened_payout (
  payout_id uuid primary key,
  currency text not null,
  fields jsonb not null,
  -- When it was asked for; its verdict, and when that was given. Silence gives none: nothing leaves while nobody has looked.
  at timestamptz not null,
  is_clear boolean,
  looked_at timestamptz
);
create index screened_payout_open on screened_payout (at) where is_clear is null;
