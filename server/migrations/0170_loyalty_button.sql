-- Loyalty: visitors' calculations whose address may have a discount, and the buttons that were mailed for them.
create table discount_button (
  calculation uuid primary key,
  email text not null,
  customer text not null,
  locale text not null check (locale in ('en', 'ru')),
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the worker decided about it; with the hash of the token where a letter went out.
  looked_at timestamptz,
  token_hash bytea unique,
  check (token_hash is null or looked_at is not null)
);
create index discount_button_asked on discount_button (asked_at);
create index discount_button_due on discount_button (asked_at) where looked_at is null;
create index discount_button_mailed on discount_button (customer, looked_at) where token_hash is not null;
