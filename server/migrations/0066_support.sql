-- Support: tickets that people open, the chats of orders, and what was said in either.

create table support_thread (
  id uuid primary key,
  -- `TK-…` of a ticket, the order's number of a chat.
  number text not null unique,
  -- The order that a chat belongs to.
  order_id uuid unique,
  email text not null,
  locale text not null check (locale in ('en', 'ru')),
  -- Of a ticket: what it is about, and the order that its writer names.
  topic text,
  about_order text,
  -- A ticket without a robot check goes to the desk once the link in its mail is opened.
  status text not null check (status in ('unconfirmed', 'waiting', 'answered', 'closed')),
  created_at timestamptz not null,
  -- Since when it stands as it does.
  status_at timestamptz not null,
  -- When the desk answered first.
  answered_at timestamptz,
  -- Rises with each change that its pages show.
  version int not null default 1,
  -- The newest message of the desk, and when it came; what the customer has looked at, and been mailed about.
  desk_seq int not null default 0,
  desk_at timestamptz,
  seen_seq int not null default 0,
  mailed_seq int not null default 0,
  check ((order_id is null) = (topic is not null))
) with (fillfactor = 80);
create index support_waiting on support_thread (status_at) where status = 'waiting';
create index support_unseen on support_thread (desk_at) where order_id is not null and desk_seq > seen_seq and mailed_seq <= seen_seq;
create index support_answered on support_thread (created_at) where answered_at is not null and topic is not null;
create index support_tickets on support_thread (created_at desc) where topic is not null;

create table support_message (
  thread_id uuid not null references support_thread on delete cascade,
  seq int not null,
  by text not null check (by in ('customer', 'desk')),
  -- Who of the desk; its customers don't see that.
  person text,
  text text not null check (length(text) between 1 and 4000),
  at timestamptz not null,
  -- The caller's key: the same is said once.
  key text unique,
  primary key (thread_id, seq)
);

-- What came along. Numbered through the thread.
create table support_file (
  thread_id uuid not null,
  n int not null,
  seq int not null,
  name text not null check (length(name) between 1 and 80),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  bytes bytea not null check (length(bytes) <= 4194304),
  primary key (thread_id, n),
  foreign key (thread_id, seq) references support_message on delete cascade
);
