-- The ledger: seals are made of packs as they stand, and MACs are seen one by one at less cost.

-- How the digest is made. 1: of each journal by itself; 2: of packs and of the legs that belong to them, as they stand. Books
-- that were sealed in the first way are refused at start.
alter table journal_seal add column form smallint not null default 1;
alter table journal_seal alter column form set default 2;

-- As in 0096, but a pack is fetched once before it is cut: each cut of a long value fetches it anew.
create or replace view journal_mac as
  select xid, encode(substr(whole, at, 16), 'hex')::uuid as journal, encode(substr(whole, at + 16, 16), 'hex')::uuid as mac
  from journal_macs,
    lateral (select pack || ''::bytea as whole offset 0) as fetched,
    generate_series(1, octet_length(whole), 32) as at;
