-- Operator: the people of the desk, their sessions and roles, requests for a second person, and the audit.

create table operator (
  id           uuid         primary key,
  name         text         not null unique,
  role         text         not null check (role in ('operator', 'compliance')),
  key_hash     bytea        not null unique,
  active       boolean      not null default true,
  created_at   timestamptz  not null,
  key_since    timestamptz  not null,
  revoked_at   timestamptz,
  fingerprint  bytea,
  mac          uuid
);
comment on table operator is 'A person of the desk.';
comment on column operator.role is 'operator: runs the desk. compliance: decides holds and freezes.';
comment on column operator.key_hash is 'HMAC of the key''s fingerprint. The key itself is shown once.';
comment on column operator.key_since is 'Time of the last change of the key.';
comment on column operator.revoked_at is 'Time since which the person is no longer of the desk.';
comment on column operator.fingerprint is 'SHA-256 of the key, which people read to each other.';
comment on column operator.mac is 'MAC of name, role and key. A person with a wrong one can do nothing.';

create table operator_factor (
  operator_id  uuid         primary key references operator,
  secret       bytea        not null,
  made_at      timestamptz  not null,
  enabled_at   timestamptz,
  last_step    bigint       not null default 0,
  tries        int          not null default 0,
  tried_since  timestamptz
);
comment on table operator_factor is 'The authenticator of a person of the desk.';
comment on column operator_factor.secret is 'Sealed with the server''s key, bound to the person.';
comment on column operator_factor.last_step is 'The half minute of the last accepted code. No code is accepted twice.';
comment on column operator_factor.tries is 'Wrong codes since `tried_since`.';

create table operator_recovery_code (
  operator_id  uuid         not null references operator_factor on delete cascade,
  code_hash    bytea        not null,
  used_at      timestamptz,
  primary key (operator_id, code_hash)
);
comment on table operator_recovery_code is
  'A code that can be used once in place of an authenticator''s code. Deleted with the authenticator.';
comment on column operator_recovery_code.code_hash is 'HMAC of the code and its person.';

create table operator_session (
  id           uuid         primary key,
  operator_id  uuid         not null references operator,
  token_hash   bytea        not null unique,
  ip           inet,
  created_at   timestamptz  not null,
  expires_at   timestamptz  not null,
  mac          uuid
);
create index operator_session_operator on operator_session (operator_id);
comment on table operator_session is 'A session of a person of the desk.';
comment on column operator_session.token_hash is 'HMAC of the token.';
comment on column operator_session.mac is 'MAC of person and expiry. A session with a wrong one opens nothing.';

create table operator_request (
  id            uuid         primary key,
  action        text         not null,
  subject       text         not null,
  body          jsonb        not null,
  requested_by  uuid         not null references operator,
  reason        text         not null,
  requested_at  timestamptz  not null,
  confirmed_by  uuid         references operator,
  confirmed_at  timestamptz,
  call          jsonb,
  check (confirmed_by is null or confirmed_by <> requested_by)
);
create unique index operator_request_open on operator_request (action, subject) where confirmed_at is null;
comment on table operator_request is 'An action that a person of the desk asked a second person to confirm.';
comment on column operator_request.action is 'Name of the action.';
comment on column operator_request.body is 'The action and content that the second person confirms.';
comment on column operator_request.call is
  'The call that asked for it, so that a second person can consent by the request''s id.';

create table audit (
  id       uuid         primary key,
  at       timestamptz  not null,
  by       text         not null,
  action   text         not null,
  subject  text         not null,
  reason   text         not null,
  outcome  text         not null,
  body     jsonb        not null,
  xid      xid8         default pg_current_xact_id(),
  mac      uuid
);
alter table audit add constraint audit_is_marked check (xid is not null and mac is not null) not valid;
create index audit_subject on audit (subject, at desc);
create index audit_xid on audit (xid, id) where xid is not null;
create index audit_by on audit (by, at desc, id desc);
create index audit_at on audit (at desc, id desc);
create index audit_unmarked on audit (at) where xid is null or mac is null;
create index audit_blocks on audit (at, xid, id) where action in ('block', 'unblock');
create index audit_funded on audit ((body ->> 'txid')) where action = 'desk_fund' and outcome = 'done';
comment on table audit is 'An action of the desk. Rows are added and never changed.';
comment on column audit.action is 'Name of the action.';
comment on column audit.outcome is 'done, asked (a second person has to confirm) or why it was refused.';
comment on column audit.xid is 'Transaction that recorded it. Actions are sealed in the order of commits.';
comment on column audit.mac is 'MAC of the action.';

create table audit_seal (
  number   bigint       primary key,
  upto     xid8         not null,
  actions  bigint       not null,
  digest   uuid         not null,
  at       timestamptz  not null
);
comment on table audit_seal is
  'A link in the chain over the audit: actions whose transaction is below `upto` and not below that of the seal before.';
comment on column audit_seal.digest is 'Made of these actions and of the digest of the seal before.';

-- Rows of the audit may be added, and are never changed.
create function audit_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the audit is never changed';
end $$;

create trigger audit_is_final before update or delete on audit for each row execute function audit_is_final();
create trigger audit_is_kept before truncate on audit for each statement execute function audit_is_final();
create trigger audit_seal_is_final before update or delete on audit_seal for each row execute function audit_is_final();
create trigger audit_seal_is_kept before truncate on audit_seal for each statement execute function audit_is_final();

create table desk_role (
  seq          bigint       primary key generated always as identity,
  role         text         not null,
  permissions  text[]       not null,
  since        timestamptz  not null default now(),
  by           text         not null,
  action       uuid         unique references audit,
  mac          uuid
);
create index desk_role_newest on desk_role (role, seq desc);
comment on table desk_role is
  'The permissions of a role of the desk, from this row on. Rows are added and never changed. The newest row of a role counts.';
comment on column desk_role.action is 'Action of two people that changed the role. Null: the owner of the tables did.';
comment on column desk_role.mac is
  'MAC of the row. Null in rows of the owner of the tables, which count. Another row with an invalid MAC grants nothing.';

-- Roles of the desk and their first permissions. Two people of the desk may change them by an action.
with permission (name, operator, compliance) as (values
  ('affiliates.change',    true,   false),
  ('affiliates.read',      true,   false),
  ('alarms.read',          true,   true),
  ('arrivals.book',        true,   false),
  ('arrivals.read',        true,   false),
  ('audit.read',           true,   true),
  ('clock.move',           true,   true),
  ('coupons.change',       true,   false),
  ('coupons.read',         true,   false),
  ('customers.judge',      false,  true),
  ('customers.read',       true,   true),
  ('debts.read',           true,   true),
  ('debts.settle',         true,   false),
  ('deliveries.read',      true,   false),
  ('deliveries.replay',    true,   false),
  ('deposits.judge',       false,  true),
  ('deposits.read',        true,   true),
  ('directions.read',      true,   false),
  ('directions.switch',    true,   false),
  ('doubts.decide',        true,   false),
  ('doubts.read',          true,   false),
  ('feed.change',          true,   false),
  ('money.close',          true,   false),
  ('money.correct',        true,   false),
  ('money.move',           true,   false),
  ('money.read',           true,   false),
  ('orders.judge',         false,  true),
  ('orders.read',          true,   true),
  ('orders.run',           true,   false),
  ('payins.decide',        true,   false),
  ('payins.read',          true,   true),
  ('payouts.switch',       true,   false),
  ('people.change',        true,   true),
  ('people.read',          true,   true),
  ('prices.change',        true,   false),
  ('rails.read',           true,   false),
  ('rails.switch',         true,   false),
  ('reports.read',         true,   false),
  ('requests.consent',     true,   true),
  ('requests.read',        true,   true),
  ('restored.end',         true,   false),
  ('restored.read',        true,   false),
  ('session.begin',        true,   true),
  ('settings.change',      true,   false),
  ('settings.compliance',  true,   true),
  ('settings.read',        true,   true),
  ('tickets.answer',       true,   false),
  ('tickets.read',         true,   true),
  ('withdrawals.decide',   true,   false),
  ('withdrawals.read',     true,   true)
)
insert into desk_role (role, permissions, by)
  select 'operator', array_agg(name order by name), 'installation' from permission where operator
  union all
  select 'compliance', array_agg(name order by name), 'installation' from permission where compliance;

create function desk_role_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the history of roles is never changed';
end $$;
create trigger desk_role_is_final before update or delete on desk_role for each row execute function desk_role_is_final();

-- The application changes a role only with an action that is in the audit. The owner of the tables needs no action.
create function desk_role_has_action() returns trigger language plpgsql as $$
begin
  if new.action is null and current_user = 'kurs_app' then
    raise exception 'a role is changed by an action of the desk';
  end if;
  return new;
end $$;
create trigger desk_role_has_action before insert on desk_role for each row execute function desk_role_has_action();
