-- Letters are delivered like everything else that goes out: their attempts stand in the log of deliveries. `mail` keeps what a
-- letter says, under the id of its event.

alter table mail rename to former_mail;
alter table former_mail rename constraint mail_pkey to former_mail_pkey;
alter table former_mail rename constraint mail_key_key to former_mail_key_key;

-- `key` makes the same letter at the same cause one row.
create table mail (
  id uuid primary key,
  key text not null unique,
  recipient text not null,
  locale text not null,
  subject text not null,
  text text not null,
  html text not null,
  queued_at timestamptz not null,
  switched_off_at text
);
create index mail_recipient on mail (lower(recipient));

insert into mail select id, key, recipient, locale, subject, text, html, queued_at, switched_off_at from former_mail;

-- The mail server: each process knows its address.
insert into delivery_endpoint (id, owner, kind, url, created_at)
  values ('00000000-0000-7000-8000-000000000002', 'mail', 'mail', '', clock_now());

-- What waits goes on where it was; what was given up can be replayed. Of a letter that was sent only the letter is kept.
insert into delivery_event (id, owner, type, body, at) select id, 'mail', 'letter', '{}', queued_at from former_mail where sent_at is null;
insert into delivery (id, event_id, endpoint_id, due_at, tries, given_up_at)
  select gen_random_uuid(), id, '00000000-0000-7000-8000-000000000002', due_at, tries,
    case when due_at is null then queued_at end
  from former_mail where sent_at is null;

drop table former_mail;
