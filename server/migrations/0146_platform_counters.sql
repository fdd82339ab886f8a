-- Platform: how often something happened within a window, counted by all processes together: tries of passwords and codes, what
-- asks for money, calls by a key. Nothing is lost with them but the count, so no log is kept.

create unlogged table counter (
  -- SHA-256 of what is counted and of the window's length.
  key bytea primary key,
  seconds int not null,
  -- When the running window began, and the last event in it, in seconds since 1970.
  start bigint not null,
  at float8 not null,
  count int not null,
  -- Of the window before it.
  before int not null
);
create index counter_at on counter (at);
