-- Alarms: what a person must look at now, and what they are told of it.

-- One row while it lasts. `told_at`: when people were told last; empty while it may still pass by itself.
-- `gone_since`: it was not found since then, and is over if it stays so.
create table alarm (
  key text primary key,
  kind text not null,
  words text not null,
  since timestamptz not null,
  told_at timestamptz,
  gone_since timestamptz
);

-- What is told beside the mail: to a webhook and into a file, each until it was taken.
create table alarm_message (
  id uuid primary key,
  way text not null check (way in ('webhook', 'file')),
  text text not null,
  queued_at timestamptz not null,
  tries int not null default 0,
  due_at timestamptz not null
);
create index alarm_message_due on alarm_message (due_at);

-- When each of the processes was last at work.
create table process_beat (
  name text primary key,
  at timestamptz not null
);
