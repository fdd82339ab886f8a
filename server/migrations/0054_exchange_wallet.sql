-- Which sides of a calculation are its account holder's wallets, and whose.

alter table calculation add column wallet text check (wallet in ('give', 'get', 'both'));
alter table calculation add column holder_id uuid;
alter table calculation add check (wallet is null or holder_id is not null);
