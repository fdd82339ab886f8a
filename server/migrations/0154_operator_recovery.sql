-- Operator: recovery codes, each good once in place of an authenticator's code; gone with the authenticator.

create table operator_recovery_code (
  operator_id uuid not null references operator_factor on delete cascade,
  -- SHA-256, with whose it is: a code has 80 random bits.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);
