-- Alarms: conditions that people must look at now, and the notifications about them.

create table alarm (
  key          text         not null,
  kind         text         not null,
  words        text         not null,
  since        timestamptz  not null,
  notified_at  timestamptz,
  gone_since   timestamptz,
  machine      text         not null default '',
  primary key (key, machine)
);
comment on table alarm is 'Something that a person must look at now. One row while it lasts.';
comment on column alarm.words is 'Text for people.';
comment on column alarm.notified_at is 'Time of the last notification. Null while it may still pass.';
comment on column alarm.gone_since is 'It was not found since then, and is over if that stays so.';
comment on column alarm.machine is 'Machine that it concerns. Empty: all machines see it alike.';

create table alarm_told (
  id      uuid         primary key,
  at      timestamptz  not null,
  notice  text         not null check (notice in ('raised', 'reminder', 'over')),
  key     text         not null,
  kind    text         not null,
  words   text         not null,
  since   timestamptz  not null
);
create index alarm_told_at on alarm_told (at desc, id desc);
comment on table alarm_told is
  'A notification that people got of an alarm. Kept for some time: an alarm itself is deleted once it is over.';
comment on column alarm_told.notice is 'raised, reminder or over.';

create table alarm_message (
  id         uuid         primary key,
  text       text         not null,
  queued_at  timestamptz  not null,
  tries      int          not null default 0,
  due_at     timestamptz  not null
);
create index alarm_message_due on alarm_message (due_at);
comment on table alarm_message is 'A line that waits to be written into the file of alarms.';

create table process_beat (
  name     text         not null,
  at       timestamptz  not null,
  machine  text         not null,
  primary key (name, machine)
);
comment on table process_beat is 'When a process of a machine was last at work.';
