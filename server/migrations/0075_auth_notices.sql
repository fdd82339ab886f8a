-- What an account holder was told of the account's security, for the list in the dashboard as well as by letter; and up to
-- when the holder has seen that list.

create table account_notice (
  id uuid primary key,
  holder_id uuid not null references account_holder,
  kind text not null,
  -- From where; null where it happened by itself.
  ip inet,
  at timestamptz not null
);
create index account_notice_holder on account_notice (holder_id, at desc);

-- Null: never. Whoever has an account already isn't told of what is long over.
alter table account_holder add column notices_seen_at timestamptz;
update account_holder set notices_seen_at = clock_now();
