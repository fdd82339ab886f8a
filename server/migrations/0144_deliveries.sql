-- Outgoing webhooks: where they go, what is told, each delivery of an event to an endpoint, and a log of its attempts.

-- An address of an owner (`alarms`, or a business). `kind` says in which form bodies and signatures are made.
create table delivery_endpoint (
  id uuid primary key,
  owner text not null,
  kind text not null,
  url text not null,
  -- The types of events that go there; null for all of its owner's.
  types text[],
  created_at timestamptz not null,
  -- Since when no delivery was taken; null once one is.
  failing_since timestamptz,
  -- Nothing goes there from then on, until its owner switches it on.
  switched_off_at timestamptz,
  switched_off_because text check (switched_off_because in ('gone', 'failing'))
);
create index delivery_endpoint_owner on delivery_endpoint (owner);

-- What deliveries are signed with, sealed: the owner may read it again. Several are valid at once while one replaces another.
create table delivery_secret (
  id uuid primary key,
  endpoint_id uuid not null references delivery_endpoint on delete cascade,
  sealed bytea not null,
  made_at timestamptz not null,
  valid_until timestamptz
);
create index delivery_secret_endpoint on delivery_secret (endpoint_id);

-- What is told to the endpoints of an owner. Ids are uuid v7: the order of events.
create table delivery_event (
  id uuid primary key,
  owner text not null,
  type text not null,
  body jsonb not null,
  at timestamptz not null
);
create index delivery_event_at on delivery_event (at);

-- One event for one endpoint. `due_at` is null once it was taken or given up.
create table delivery (
  id uuid primary key,
  event_id uuid not null references delivery_event on delete cascade,
  endpoint_id uuid not null references delivery_endpoint on delete cascade,
  due_at timestamptz,
  tries int not null default 0,
  taken_at timestamptz,
  given_up_at timestamptz,
  unique (event_id, endpoint_id)
);
create index delivery_due on delivery (endpoint_id, due_at) where due_at is not null;
create index delivery_endpoint_events on delivery (endpoint_id, event_id);

-- What an endpoint answered to each attempt. Without a status there was no answer, and `error` says why.
create table delivery_attempt (
  id uuid primary key,
  delivery_id uuid not null references delivery on delete cascade,
  at timestamptz not null,
  status int,
  latency_ms int not null,
  answer text not null default '',
  error text
);
create index delivery_attempt_delivery on delivery_attempt (delivery_id, at);

-- Alarms that still wait for the webhook go on from here. Their messages are lines of the file from now on.
insert into delivery_endpoint (id, owner, kind, url, created_at)
  select '00000000-0000-7000-8000-000000000001', 'alarms', 'alarms', value #>> '{}', clock_now()
  from setting where key = 'alarms.webhook' and value #>> '{}' <> '';
insert into delivery_event (id, owner, type, body, at)
  select id, 'alarms', 'alarm', jsonb_build_object('text', text), queued_at from alarm_message where way = 'webhook';
insert into delivery (id, event_id, endpoint_id, due_at)
  select gen_random_uuid(), alarm_message.id, delivery_endpoint.id, clock_now()
  from alarm_message, delivery_endpoint where way = 'webhook';
delete from alarm_message where way = 'webhook';
alter table alarm_message drop column way;
