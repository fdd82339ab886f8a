-- Compliance: customers whom people have blocked, and by what each of them is known.

create table block (
  id uuid primary key,
  -- As whoever was blocked is named at the desk.
  who text not null,
  by text not null,
  reason text not null,
  evidence text not null,
  since timestamptz not null,
  lifted_by text,
  lifted_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null))
);
create unique index block_open on block (who) where lifted_at is null;

-- Things that are shown to be theirs: an account, its mailbox, a device, an account that has paid.
create table block_key (
  block_id uuid not null references block (id),
  key text not null,
  primary key (block_id, key)
);
create index block_key_key on block_key (key);
