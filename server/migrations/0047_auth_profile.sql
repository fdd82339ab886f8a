-- Account holders: a change of e-mail freezes withdrawals too, and what a holder says of himself: time zone, letters, picture.

alter table account_holder
  drop constraint account_holder_frozen_because_check,
  add constraint account_holder_frozen_because_check
    check (frozen_because in ('password_reset', 'recovery_code', 'two_factor_off', 'email_changed')),
  -- An IANA name, which letters to the holder are written by.
  add column timezone text not null default 'UTC' check (length(timezone) between 1 and 64),
  -- Whether letters come about each step of an order; those that ask for something always do.
  add column progress_letters boolean not null default true,
  -- Where the picture is read: random, another for each picture.
  add column avatar_key text unique;

create table avatar (
  key text primary key,
  holder_id uuid not null unique references account_holder,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (length(bytes) <= 2097152),
  at timestamptz not null
);
