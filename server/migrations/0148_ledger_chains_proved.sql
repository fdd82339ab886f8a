-- Ledger: how far chains of seals besides that of the journals were proved, by table: the night's proof goes on from there too.

alter table books_proof add column chains jsonb not null default '{}';

-- Acts from before there were marks, and such as we did not write: each night asks for them.
create index audit_unmarked on audit (at) where xid is null or mac is null;
