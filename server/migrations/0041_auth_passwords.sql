-- Account holders: a password, kept with the parameters it was hashed by, and withdrawals that wait after a reset.

alter table account_holder
  -- $argon2id$v=19$m=…,t=…,p=…$salt$hash; null where no password is set
  add column password_hash text check (password_hash like '$argon2id$%'),
  add column password_set_at timestamptz,
  -- Until when no money leaves, and which reset it is for.
  add column frozen_until timestamptz,
  add column frozen_because text check (frozen_because in ('password_reset', 'recovery_code', 'two_factor_off')),
  add constraint account_holder_frozen check ((frozen_until is null) = (frozen_because is null));
