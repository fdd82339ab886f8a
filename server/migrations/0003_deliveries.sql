-- Deliveries: letters and webhooks that go out, the endpoints they go to, and a log of the attempts.

create table delivery_endpoint (
  id                    uuid         primary key,
  owner                 text         not null,
  kind                  text         not null,
  url                   text         not null,
  types                 text[],
  created_at            timestamptz  not null,
  failing_since         timestamptz,
  switched_off_at       timestamptz,
  switched_off_because  text         check (switched_off_because in ('gone', 'failing')),
  mac                   uuid
);
create index delivery_endpoint_owner on delivery_endpoint (owner);
comment on table delivery_endpoint is 'An address of an owner that its events go to: a URL of webhooks, or the mail server.';
comment on column delivery_endpoint.owner is '`alarms`, `mail`, or a business.';
comment on column delivery_endpoint.kind is 'Form of bodies and signatures.';
comment on column delivery_endpoint.url is 'Empty for the mail server, whose address each process knows.';
comment on column delivery_endpoint.types is 'Types of events that go there. Null: all of the owner''s.';
comment on column delivery_endpoint.failing_since is 'Time since which no delivery was taken. Null once one is.';
comment on column delivery_endpoint.switched_off_at is 'Nothing goes there until its owner switches it on again.';
comment on column delivery_endpoint.mac is 'MAC of the row. The mail server''s endpoint has none.';

create table delivery_secret (
  id           uuid         primary key,
  endpoint_id  uuid         not null references delivery_endpoint on delete cascade,
  sealed       bytea        not null,
  made_at      timestamptz  not null,
  valid_until  timestamptz
);
create index delivery_secret_endpoint on delivery_secret (endpoint_id);
comment on table delivery_secret is
  'A secret that deliveries to an endpoint are signed with. Several are valid at once while one replaces another.';
comment on column delivery_secret.sealed is 'The secret, sealed with the server''s key, so that its owner can read it again.';
comment on column delivery_secret.valid_until is 'Null: no end.';

create table delivery_event (
  id     uuid         primary key,
  owner  text         not null,
  type   text         not null,
  body   jsonb        not null,
  at     timestamptz  not null,
  mac    uuid
);
create index delivery_event_at on delivery_event (at);
comment on table delivery_event is 'An event for the endpoints of an owner.';
comment on column delivery_event.id is 'UUID version 7: the order of events.';

create table delivery (
  id           uuid         primary key,
  event_id     uuid         not null references delivery_event on delete cascade,
  endpoint_id  uuid         not null references delivery_endpoint on delete cascade,
  due_at       timestamptz,
  tries        int          not null default 0,
  taken_at     timestamptz,
  given_up_at  timestamptz,
  missed_at    timestamptz,
  unique (event_id, endpoint_id)
);
create index delivery_due on delivery (endpoint_id, due_at) where due_at is not null;
create index delivery_endpoint_events on delivery (endpoint_id, event_id);
create index delivery_missed on delivery (endpoint_id) where missed_at is not null;
comment on table delivery is 'One event for one endpoint.';
comment on column delivery.due_at is 'Time of the next attempt. Null once it was taken, given up or missed.';
comment on column delivery.taken_at is 'Time at which the endpoint accepted it.';
comment on column delivery.missed_at is 'Set if the endpoint was off when the event was published. It then waits for a replay.';

create table delivery_attempt (
  id           uuid         primary key,
  delivery_id  uuid         not null references delivery on delete cascade,
  at           timestamptz  not null,
  status       int,
  latency_ms   int          not null,
  answer       text         not null default '',
  error        text
);
create index delivery_attempt_delivery on delivery_attempt (delivery_id, at);
comment on table delivery_attempt is 'One attempt of a delivery.';
comment on column delivery_attempt.status is 'HTTP status of the answer. Null: no answer came.';
comment on column delivery_attempt.error is 'Why no answer came.';

create table mail (
  id         uuid         primary key,
  key        text         not null unique,
  recipient  text         not null,
  locale     text         not null,
  queued_at  timestamptz  not null,
  sealed     bytea,
  mac        uuid
);
create index mail_recipient on mail (lower(recipient));
comment on table mail is 'A letter, under the id of its event.';
comment on column mail.key is 'Names the letter and its cause, so that the same letter is queued once.';
comment on column mail.sealed is 'Subject and texts, sealed with the server''s key, since a letter may hold a code or a link.';
comment on column mail.mac is 'MAC of the row. A letter with a wrong one is not sent.';

-- Endpoint of the mail server. It has no address here, because each process knows the address from its settings.
insert into delivery_endpoint (id, owner, kind, url, created_at)
  values ('00000000-0000-7000-8000-000000000002', 'mail', 'mail', '', clock_now());
