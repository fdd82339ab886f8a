-- What people were told of alarms, for as long as it is of use: an alarm itself is forgotten once it is over.
create table alarm_told (
  id uuid primary key,
  at timestamptz not null,
  telling text not null check (telling in ('raised', 'reminder', 'over')),
  key text not null,
  kind text not null,
  words text not null,
  since timestamptz not null
);
create index alarm_told_at on alarm_told (at desc, id desc);
