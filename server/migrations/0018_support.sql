-- Support: tickets that people open, chats about orders, their messages and files.

create table support_thread (
  id            uuid         primary key,
  number        text         not null unique,
  owner_id      uuid         constraint support_thread_order_id_key unique,
  email         text         not null,
  locale        text         not null check (locale in ('en', 'ru')),
  topic         text,
  about_number  text,
  status        text         not null check (status in ('unconfirmed', 'waiting', 'answered', 'closed')),
  created_at    timestamptz  not null,
  status_at     timestamptz  not null,
  answered_at   timestamptz,
  version       int          not null default 1,
  desk_seq      int          not null default 0,
  desk_at       timestamptz,
  seen_seq      int          not null default 0,
  mailed_seq    int          not null default 0,
  owner_kind    text,
  check ((owner_id is null) = (topic is not null)),
  check ((owner_kind is null) = (owner_id is null))
) with (fillfactor = 80);
create index support_waiting on support_thread (status_at) where status = 'waiting';
create index support_unseen on support_thread (desk_at)
  where owner_id is not null and desk_seq > seen_seq and mailed_seq <= seen_seq;
create index support_answered on support_thread (created_at) where answered_at is not null and topic is not null;
create index support_mailbox on support_thread (lower(email));
create index support_chats on support_thread (created_at desc, id desc) where topic is null;
create index support_tickets on support_thread (created_at desc, id desc) where topic is not null;
comment on table support_thread is 'A ticket, or the chat about an owner such as an order.';
comment on column support_thread.number is '`TK-…` for a ticket, the owner''s number for a chat.';
comment on column support_thread.owner_id is 'Owner that a chat is about. Null for a ticket.';
comment on column support_thread.topic is 'Topic of a ticket. Null for a chat.';
comment on column support_thread.about_number is 'Number that the writer of a ticket names.';
comment on column support_thread.status is
  'unconfirmed: the link in the ticket''s letter was not opened yet. waiting: for the desk. answered: by the desk. closed.';
comment on column support_thread.status_at is 'Time of the last change of `status`.';
comment on column support_thread.answered_at is 'Time of the desk''s first answer.';
comment on column support_thread.version is 'Rises with each change that its pages show.';
comment on column support_thread.desk_seq is 'Newest message of the desk.';
comment on column support_thread.desk_at is 'Time of that message.';
comment on column support_thread.seen_seq is 'Newest message that the customer has seen.';
comment on column support_thread.mailed_seq is 'Newest message that the customer was mailed about.';

create table support_message (
  thread_id  uuid         not null references support_thread on delete cascade,
  seq        int          not null,
  by         text         not null check (by in ('customer', 'desk')),
  person     text,
  text       text         not null check (length(text) between 1 and 4000),
  at         timestamptz  not null,
  key        text         unique,
  primary key (thread_id, seq)
);
comment on table support_message is 'A message of a ticket or a chat.';
comment on column support_message.person is 'Person of the desk who wrote it. Customers don''t see that.';
comment on column support_message.key is 'The caller''s key, so that the same message is stored once.';

create table support_file (
  thread_id  uuid   not null,
  n          int    not null,
  seq        int    not null,
  name       text   not null check (length(name) between 1 and 80),
  type       text   not null check (type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  bytes      bytea  not null check (length(bytes) <= 4194304),
  primary key (thread_id, n),
  foreign key (thread_id, seq) references support_message on delete cascade
);
comment on table support_file is 'A file that came with a message.';
comment on column support_file.n is 'Number within the thread.';
comment on column support_file.seq is 'Message that it came with.';
