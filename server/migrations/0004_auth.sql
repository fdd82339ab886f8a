-- Auth: account holders and their ways to sign in, their sessions and codes, API keys and grants.

-- Returns eight random characters, out of 32 letters and digits that people don't mistake for one another. Bytes 6 and 8 of a
-- uuid are left out, because they are not entirely random.
create function new_referral_code() returns text language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(chance, at) & 31) + 1, 1), '')
  from (select uuid_send(gen_random_uuid()) as chance) drawn, unnest('{0,1,2,3,4,5,9,10}'::int[]) as at
$$;

create table account_holder (
  id                    uuid         primary key,
  email                 text         not null check (length(email) between 3 and 254),
  email_key             text         not null unique,
  email_verified_at     timestamptz,
  name                  text         not null default '' check (length(name) <= 100),
  locale                text         not null check (locale in ('en', 'ru')),
  created_at            timestamptz  not null,
  password_hash         text         check (password_hash like '$argon2id$%'),
  password_set_at       timestamptz,
  frozen_until          timestamptz,
  frozen_because        text,
  timezone              text         not null default 'UTC' check (length(timezone) between 1 and 64),
  has_progress_letters  boolean      not null default true,
  avatar_key            text         unique,
  closing_at            timestamptz,
  closed_at             timestamptz,
  notices_seen_at       timestamptz,
  referral_code         text         not null default new_referral_code() unique,
  referred_by           uuid         references account_holder,
  referral_alias        text         unique check (referral_alias ~ '^[a-z0-9_-]{1,31}$'),
  referred_campaign     text,
  mac                   uuid,
  constraint account_holder_frozen check ((frozen_until is null) = (frozen_because is null)),
  check (frozen_because in ('password_reset', 'recovery_code', 'two_factor_off', 'email_changed')),
  check (referred_by <> id)
);
create index account_holder_closing on account_holder (closing_at) where closing_at is not null;
comment on table account_holder is 'A person with an account. After closing, a row that says nothing of anybody.';
comment on column account_holder.email is 'As the holder typed it.';
comment on column account_holder.email_key is 'The same address in lower case.';
comment on column account_holder.password_hash is 'Argon2id with its parameters, `$argon2id$v=19$…`. Null: no password is set.';
comment on column account_holder.frozen_until is 'No money leaves before this time.';
comment on column account_holder.timezone is 'IANA name. Times in letters are written by it.';
comment on column account_holder.has_progress_letters is
  'True if letters come about each step of an order. Letters that need an answer always come.';
comment on column account_holder.avatar_key is 'Random name under which the picture is read. Another for each picture.';
comment on column account_holder.closing_at is 'Time at which the account will be closed, unless its holder calls that off.';
comment on column account_holder.notices_seen_at is 'Time up to which the holder has seen the list of notices. Null: never.';
comment on column account_holder.referral_code is 'Code by which the holder sends others to us.';
comment on column account_holder.referred_by is 'Account holder who sent this one. Null: nobody.';
comment on column account_holder.referral_alias is 'Name in links beside the code. The desk gives it to exchange monitors.';
comment on column account_holder.referred_campaign is 'Campaign of `referred_by` that the holder came by.';
comment on column account_holder.mac is
  'MAC of the address, its verification, freeze, password, second factor, reference and referrer. An account with a wrong one '
  'opens nothing.';

create table avatar (
  key        text         primary key,
  holder_id  uuid         not null unique references account_holder,
  type       text         not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes      bytea        not null check (length(bytes) <= 2097152),
  at         timestamptz  not null
);
comment on table avatar is 'The picture of an account holder.';

create table account_notice (
  id         uuid         primary key,
  holder_id  uuid         not null references account_holder,
  kind       text         not null,
  ip         inet,
  at         timestamptz  not null
);
create index account_notice_holder on account_notice (holder_id, at desc);
comment on table account_notice is 'Something that happened to an account, as its holder reads it behind the bell and by letter.';
comment on column account_notice.ip is 'Address that it was done from. Null: it happened automatically.';

create table google_account (
  issuer     text         not null check (length(issuer) <= 200),
  subject    text         not null check (length(subject) between 1 and 255),
  holder_id  uuid         not null unique references account_holder on delete cascade,
  linked_at  timestamptz  not null,
  mac        uuid,
  primary key (issuer, subject)
);
comment on table google_account is
  'A Google account that its holder signs in with. Known by issuer and subject, never by an address.';

create table google_nonce (
  nonce       text         primary key,
  expires_at  timestamptz  not null
);
create index google_nonce_expired on google_nonce (expires_at);
comment on table google_nonce is
  'A one-time number of a sign-in with Google. A token must name one. It is deleted when the session begins.';

create table second_factor (
  holder_id   uuid         primary key references account_holder,
  secret      bytea        not null,
  made_at     timestamptz  not null,
  enabled_at  timestamptz,
  last_step   bigint       not null default 0
);
comment on table second_factor is 'The authenticator (TOTP) of an account holder.';
comment on column second_factor.secret is 'Sealed with the server''s key.';
comment on column second_factor.enabled_at is 'Null until the first code was shown. Until then no code is requested.';
comment on column second_factor.last_step is
  'The 30 seconds of the last accepted code. No code of these or earlier ones is accepted again.';

create table recovery_code (
  holder_id  uuid         not null references second_factor on delete cascade,
  code_hash  bytea        not null,
  used_at    timestamptz,
  primary key (holder_id, code_hash)
);
comment on table recovery_code is 'A code that can be used once in place of an authenticator''s code.';
comment on column recovery_code.code_hash is 'HMAC of the code and its holder.';

create table factor_tries (
  holder_id  uuid         not null references second_factor on delete cascade,
  whose      text         not null,
  tries      int          not null,
  since      timestamptz  not null,
  primary key (holder_id, whose)
) with (fillfactor = 80);
comment on table factor_tries is
  'Wrong codes of a second factor, counted apart for everybody who tries, so that others lock no holder out.';
comment on column factor_tries.whose is
  'The caller: a session, a browser that the holder has used, an order, or all others together.';

create table session (
  id          uuid         primary key,
  holder_id   uuid         not null references account_holder,
  token_hash  bytea        not null unique,
  device      text         not null,
  ip          inet         not null,
  created_at  timestamptz  not null,
  seen_at     timestamptz  not null,
  ended_at    timestamptz,
  browser     text,
  proved_at   timestamptz,
  mac         uuid
);
create index session_holder on session (holder_id) where ended_at is null;
create index session_proved on session (holder_id, browser) where proved_at is not null;
comment on table session is 'A signed-in device.';
comment on column session.token_hash is 'HMAC of the token.';
comment on column session.browser is 'Hash of our cookie in the browser. Null: the caller had none.';
comment on column session.proved_at is
  'Time at which the holder proved more than the password there: a mailed code, a linked Google account or a second factor.';
comment on column session.mac is 'MAC of the holder and the beginning. A session with a wrong one opens nothing.';

create table one_time_code (
  purpose        text         not null,
  subject        text         not null,
  code_hash      bytea        not null,
  made_at        timestamptz  not null,
  expires_at     timestamptz  not null,
  tries          int          not null default 0,
  referral_code  text,
  handle         text         not null default '',
  counted_as     text,
  requests       int          not null default 1,
  primary key (purpose, subject, handle)
) with (fillfactor = 80);
create index one_time_code_expired on one_time_code (expires_at);
create index one_time_code_counted on one_time_code (counted_as, made_at);
comment on table one_time_code is
  'A mailed code for one purpose and one subject, valid for ten minutes and five tries.';
comment on column one_time_code.subject is 'Subject of the code: an order, an address or an account holder.';
comment on column one_time_code.code_hash is 'HMAC of the code and what it is bound to.';
comment on column one_time_code.referral_code is 'Code that a newcomer brought. It may belong to nobody.';
comment on column one_time_code.handle is 'Handle of the browser that requested it. Empty where the subject says whose it is.';
comment on column one_time_code.counted_as is 'Codes with the same value are counted together until one is used.';
comment on column one_time_code.requests is 'Number of requests for it within an hour.';

create table api_key (
  id             uuid         primary key,
  holder_id      uuid         not null references account_holder,
  name           text         not null,
  token_hash     bytea        not null unique,
  hint           text         not null,
  scopes         text[]       not null check (cardinality(scopes) > 0),
  networks       inet[]       not null,
  created_at     timestamptz  not null,
  expires_at     timestamptz  not null,
  used_at        timestamptz,
  used_from      inet,
  revoked_at     timestamptz,
  resource_kind  text,
  resource_id    text,
  mac            uuid,
  constraint api_key_resource check ((resource_kind is null) = (resource_id is null))
);
create index api_key_holder on api_key (holder_id);
comment on table api_key is 'A key by which a program of an account holder reads or acts for them.';
comment on column api_key.token_hash is 'HMAC of the key. The key itself is shown once.';
comment on column api_key.hint is 'First characters of the key, by which its holder knows it again.';
comment on column api_key.networks is 'Networks that the key is accepted from. Empty: any.';
comment on column api_key.resource_kind is
  'Kind of the one resource that the key is for, such as a store. Null: all that is the holder''s.';
comment on column api_key.mac is 'MAC of holder, scopes, networks, resource and expiry. A key with a wrong one opens nothing.';

create table resource_role (
  seq            bigint       primary key generated always as identity,
  resource_kind  text         not null,
  role           text         not null,
  permissions    text[]       not null,
  since          timestamptz  not null default now(),
  by             text         not null,
  mac            uuid
);
create index resource_role_newest on resource_role (resource_kind, role, seq desc);
comment on table resource_role is
  'The permissions of a role of members on a kind of resources, from this row on. Rows are added and never changed. The newest row of '
  'a role counts.';
comment on column resource_role.mac is
  'Null in rows that the owner of the tables added, which count. Another row with an invalid MAC grants nothing.';

create table resource_grant (
  seq            bigint       primary key generated always as identity,
  holder_id      uuid         not null references account_holder,
  resource_kind  text         not null,
  resource_id    text         not null,
  role           text,
  since          timestamptz  not null default now(),
  by             text         not null,
  mac            uuid
);
create index resource_grant_newest on resource_grant (holder_id, resource_kind, resource_id, seq desc);
comment on table resource_grant is
  'The role of an account holder on a resource, from this row on. Rows are added and never changed. The newest row counts.';
comment on column resource_grant.role is 'Null: they no longer have a role there.';
comment on column resource_grant.mac is 'If it is invalid, the row grants nothing.';

create function resource_grants_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'the history of grants is never changed';
end $$;

create trigger resource_role_is_final before update or delete on resource_role
  for each row execute function resource_grants_are_final();
create trigger resource_grant_is_final before update or delete on resource_grant
  for each row execute function resource_grants_are_final();
