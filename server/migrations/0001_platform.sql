-- Platform: this installation, its time and its roles, events, settings, answers, counters.

create table installation (
  one           boolean      primary key default true check (one),
  mode          text         not null check (mode in ('sandbox', 'live')),
  clock_offset  interval     not null default '0',
  created_at    timestamptz  not null default now(),
  constraint clock_is_real_in_live_mode check (mode = 'sandbox' or clock_offset = '0')
);
comment on table installation is
  'The one row: what this installation is. The database refuses a moved clock in live mode, and a live start refuses a '
  'sandbox''s database.';
comment on column installation.one is 'Always true, so that there is one row.';
comment on column installation.clock_offset is 'Time by which the sandbox has moved the product''s clock forward.';

-- Time by which the sandbox has moved the product's clock forward; zero in live mode.
create function clock_offset() returns interval language sql stable parallel safe as
$$ select coalesce((select clock_offset from installation), interval '0') $$;

-- The product's time: the database's clock plus the offset. It is constant within a transaction.
create function clock_now() returns timestamptz language sql stable parallel safe as
$$ select now() + clock_offset() $$;

-- Wakes the loops of other processes after the commit (wakes.ts). The trigger's argument is the topic, so a row that somebody
-- writes by SQL wakes them, too.
create function tell_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('kurs_wakes', tg_argv[0]);
  return null;
end $$;

-- True if a process waits for a topic. A waiting process holds a shared lock of the topic's name as long as its session lasts.
-- NOTIFY wakes every listening session, so it is skipped for a topic that no process awaits.
create function is_awaited(topic text) returns boolean language sql as $$
  select case when pg_try_advisory_lock(hashtext('wake'), hashtext(topic))
    then not pg_advisory_unlock(hashtext('wake'), hashtext(topic)) else true end
$$;

create trigger wake after update on installation for each statement execute function tell_wake('clock');

create table key_fingerprint (
  name         text         primary key,
  fingerprint  text         not null check (fingerprint ~ '^[0-9a-f]{32}$'),
  at           timestamptz  not null
);
comment on table key_fingerprint is
  'A key of KURS_DATA/keys that this database was begun with. The product refuses to start with another set of keys.';
comment on column key_fingerprint.name is 'Name of the key''s file, such as `books-v1.key`.';
comment on column key_fingerprint.fingerprint is 'First 128 bits of SHA-256 of the key''s name and text, as hexadecimal digits.';

-- An event is written once and never changed. Rows up to 8 kB are stored uncompressed: compressing them costs more than it saves.
create table event (
  id         uuid         primary key,
  kind       text         not null,
  subject    text         not null,
  body       jsonb        not null,
  at         timestamptz  not null,
  forget_at  timestamptz
) with (toast_tuple_target = 8160);
create index event_subject on event (subject, id);
create index event_forget on event (forget_at) where forget_at is not null;
comment on table event is 'An event: something that happened, published by one room in the transaction of the change.';
comment on column event.id is 'UUID version 7. Events are delivered in the order of their ids.';
comment on column event.kind is '`<room>.<name>`. The `index.ts` of that room has the type of the body.';
comment on column event.subject is 'Subject of the event, such as `order:<id>`.';
comment on column event.forget_at is
  'Time from which the event is deleted, once every subscriber has handled it. Null: it is never deleted.';

create table event_subscription (
  subscriber  text  not null,
  kind        text  not null,
  about       text  not null default '',
  primary key (kind, subscriber)
);
comment on table event_subscription is
  'A kind of events that a subscriber takes. Written from the code at each start of the worker.';
comment on column event_subscription.about is 'Beginning of the subjects that the subscriber wants. Empty: all.';

create table event_delivery (
  subscriber  text         not null,
  event_id     uuid         not null,
  due_at      timestamptz  not null,
  tries       int          not null default 0,
  last_error  text,
  kind        text         not null,
  primary key (subscriber, event_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
comment on table event_delivery is
  'An event that a subscriber has yet to handle. The row is deleted in the transaction that handles it.';
comment on column event_delivery.kind is 'Kind of the event, so that waiting kinds are found without reading the events.';

create table setting (
  key      text         primary key,
  value    jsonb        not null,
  version  bigint       not null unique,
  by       text         not null,
  at       timestamptz  not null,
  mac      uuid
);
comment on table setting is 'A setting whose value differs from its default.';
comment on column setting.version is 'Rises with each change of any setting.';
comment on column setting.by is 'Person who changed it, or the command that did.';
comment on column setting.mac is 'MAC of the row. If it is invalid, the last value with a valid MAC counts.';

create table setting_history (
  version  bigint       primary key,
  key      text         not null,
  value    jsonb        not null,
  by       text         not null,
  at       timestamptz  not null,
  mac      uuid
);
comment on table setting_history is 'Every value that a setting ever had.';
create trigger wake after insert or update or delete on setting for each statement execute function tell_wake('settings');

create table idempotency (
  scope         text         not null,
  key           text         not null,
  request_hash  bytea        not null,
  claimed_at    timestamptz  not null,
  answer        bytea,
  at            timestamptz  not null,
  primary key (scope, key)
);
create index idempotency_at on idempotency (at);
comment on table idempotency is
  'A call with an Idempotency-Key, and its answer for 7 days. Without an answer the call is being worked on.';
comment on column idempotency.scope is 'Whose key it is and for what: keys of different callers or calls never meet.';
comment on column idempotency.request_hash is 'SHA-256 of the request, to notice the same key with another request.';
comment on column idempotency.answer is 'The answer, sealed with the server''s key.';

create unlogged table counter (
  key      bytea   primary key,
  seconds  int     not null,
  start    bigint  not null,
  at       float8  not null,
  count    int     not null,
  before   int     not null
);
create index counter_at on counter (at);
comment on table counter is
  'Number of times that something happened within a window, for all processes together. Not logged: a crash loses the count and '
  'nothing else.';
comment on column counter.key is 'SHA-256 of the counted subject and of the window''s length.';
comment on column counter.seconds is 'Length of the window.';
comment on column counter.start is 'Beginning of the running window, in seconds since 1970.';
comment on column counter.at is 'Time of the last event, in seconds since 1970.';
comment on column counter.before is 'Count of the window before this one.';

create unlogged table download_ticket (
  hash        bytea        primary key,
  what        text         not null,
  session_id  uuid         not null,
  wanted      jsonb        not null,
  until       timestamptz  not null,
  mac         uuid
);
create index download_ticket_until on download_ticket (until);
comment on table download_ticket is
  'A ticket for one download, good once and for a minute. Not logged: a crash loses the ticket and nothing else.';
comment on column download_ticket.hash is 'HMAC of the ticket.';
comment on column download_ticket.what is 'Name of the download.';
comment on column download_ticket.session_id is 'Session that requested the ticket. Without it the ticket opens nothing.';
comment on column download_ticket.wanted is 'Arguments of the download.';
comment on column download_ticket.mac is 'MAC of the row. A ticket with a wrong one opens nothing.';

-- Database roles of the product. If the owner of the database may not create roles, somebody creates them by hand. The supervisor
-- sets their passwords at start.
do $$ begin
  create role kurs_app login noinherit;
exception when duplicate_object or insufficient_privilege then null;
end $$;
do $$ begin
  create role kurs_signer login noinherit;
exception when duplicate_object or insufficient_privilege then null;
end $$;

-- Grants both roles their rights. The owner runs this after each migration: a migration may add tables, and somebody may have
-- created a role by hand meanwhile. kurs_app may only write rows: it can't empty or alter a table, switch a trigger off, or
-- change a final row. kurs_signer may only read the rows that it needs to check a payout before signing.
create function give_rights() returns void language plpgsql as $$
begin
  if exists (select from pg_roles where rolname = 'kurs_app') and not pg_has_role('kurs_app', current_user, 'member') then
    grant usage on schema public to kurs_app;
    grant select, insert, update, delete on all tables in schema public to kurs_app;
    grant usage, select on all sequences in schema public to kurs_app;
    -- Rows of the ledger, the audit and every history table may be added, and are never changed.
    revoke update, delete on
      posting, journal_macs, journal_seal, books_proof, audit, audit_seal,
      setting_history, direction_history, rail_cost_history, order_event, desk_posting from kurs_app;
    revoke delete on account from kurs_app;
    revoke update, delete on desk_role from kurs_app;
    -- Only the owner writes these tables. The sandbox may move its clock.
    revoke insert, update, delete on installation, migration, key_fingerprint from kurs_app;
    grant update (clock_offset) on installation to kurs_app;
  end if;
  if exists (select from pg_roles where rolname = 'kurs_signer') then
    grant usage on schema public to kurs_signer;
    grant select (id, rail, currency, unit, parts, to_fields, to_key, purpose, status, owner_kind, owner_id, mac) on payout
      to kurs_signer;
    grant select on migration, installation, key_fingerprint to kurs_signer;
    -- For the signer, which compares its journal with the database.
    grant select (status_at) on payout to kurs_signer;
    grant select (id, rail, reference, raw, stored_at) on payment_attempt to kurs_signer;
    grant select on unrecorded_send to kurs_signer;
  end if;
end $$;
