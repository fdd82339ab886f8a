-- The platform's tables: what this installation is, facts and who is told of them, settings, workers, mail, answers given.

-- One row. The database itself refuses a moved clock in live mode, and a live start refuses a sandbox's database.
create table installation (
  one boolean primary key default true check (one),
  mode text not null check (mode in ('sandbox', 'live')),
  clock_offset interval not null default interval '0',
  created_at timestamptz not null default now(),
  constraint clock_is_real_in_live_mode check (mode = 'sandbox' or clock_offset = interval '0')
);

-- How far the sandbox has moved the product's time on; zero in live mode.
create function clock_offset() returns interval language sql stable parallel safe as
$$ select coalesce((select clock_offset from installation), interval '0') $$;

-- The product's time: the database's clock, moved forward by the sandbox's offset; constant within a transaction.
create function clock_now() returns timestamptz language sql stable parallel safe as
$$ select now() + clock_offset() $$;

-- Who is told of which kinds of facts; synchronised from the code at each start.
create table fact_subscription (
  subscriber text not null,
  kind text not null,
  primary key (kind, subscriber)
);

-- What happened, for ever. Ids are uuid v7: the order of facts.
create table fact (
  id uuid primary key,
  kind text not null,
  subject text not null,
  body jsonb not null,
  at timestamptz not null
);
create index fact_subject on fact (subject, id);

-- What is still to be told. A row goes when its subscriber has acted upon the fact.
create table fact_delivery (
  subscriber text not null,
  fact_id uuid not null,
  due_at timestamptz not null,
  tries int not null default 0,
  last_error text,
  primary key (subscriber, fact_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Values that differ from their defaults, and everything they ever were.
create table setting (
  key text primary key,
  value jsonb not null,
  version bigint not null unique,
  by text not null,
  at timestamptz not null
);
create table setting_history (
  version bigint primary key,
  key text not null,
  value jsonb not null,
  by text not null,
  at timestamptz not null
);

-- Workers that are alive; real time, since a moved sandbox clock must not make them look dead.
create table worker_beat (
  worker_id text primary key,
  at timestamptz not null default now()
);

-- Mail to be sent and sent. `key` makes the same letter at the same cause one row.
create table mail (
  id uuid primary key,
  key text not null unique,
  recipient text not null,
  locale text not null,
  subject text not null,
  text text not null,
  html text not null,
  queued_at timestamptz not null,
  due_at timestamptz,
  tries int not null default 0,
  sent_at timestamptz,
  message_id text,
  last_error text
);
create index mail_due on mail (due_at) where due_at is not null;

-- Answers to calls that carried an Idempotency-Key, sealed, kept 7 days. Without an answer: being worked on since.
create table idempotency (
  scope text not null,
  key text not null,
  request_hash bytea not null,
  claimed_at timestamptz not null,
  answer bytea,
  at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_at on idempotency (at);

-- The role the signer reads payouts with; rooms grant it what it may see. Its password is set at each start.
do $$ begin
  create role kurs_signer login noinherit;
exception when duplicate_object or insufficient_privilege then null;
end $$;
