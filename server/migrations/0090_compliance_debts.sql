-- Compliance: what is owed for payments that were taken back, and by what its debtors are known.

-- Of an order or of a payment into a wallet; gone once nothing is owed.
create table debt (
  id uuid primary key,
  about text not null check (about in ('order', 'deposit')),
  unit text not null,
  parts numeric(38, 0) not null check (parts > 0),
  since timestamptz not null
);

-- `shown`: proved to be the debtor's (a session, its mailbox, a device, an account that has paid); else somebody typed it.
create table debt_key (
  debt_id uuid not null references debt (id) on delete cascade,
  key text not null,
  shown boolean not null,
  primary key (debt_id, key)
);
create index debt_key_key on debt_key (key);
