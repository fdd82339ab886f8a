-- Compliance: whether the customer that an account is bound to had shown to read his mailbox, or somebody only typed it.

alter table payer add column shown boolean not null default true;
