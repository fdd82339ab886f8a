-- A delivery says of what kind its event is: who has something to take, and which events of a kind wait, is known without
-- looking up each event that waits.
alter table fact_delivery add column kind text;
update fact_delivery set kind = fact.kind from fact where fact.id = fact_id;
alter table fact_delivery alter column kind set not null;
