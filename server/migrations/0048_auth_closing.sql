-- Account holders: closing an account, which waits two weeks; what is left of one is a row that says nothing of anybody.

alter table account_holder
  -- When it will be closed, until its holder calls it off.
  add column closing_at timestamptz,
  add column closed_at timestamptz;
create index account_holder_closing on account_holder (closing_at) where closing_at is not null;
