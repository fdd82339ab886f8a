-- Pots: what people set aside of the desk's free money for coupons, rewards and prizes, and took back. Rows are added and never
-- changed; each is the cause of its journal.

create table pot_funding (
  id uuid primary key,
  pot text not null check (pot in ('affiliate', 'earn', 'late')),
  -- Parts of the unit of rewards; below zero: back to the desk.
  parts numeric(38, 0) not null check (parts <> 0),
  at timestamptz not null
);
create index pot_funding_recent on pot_funding (pot, at);

create function pot_funding_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'what was set aside is never changed';
end $$;

create trigger pot_funding_is_final before update or delete on pot_funding for each row execute function pot_funding_is_final();
