-- Pots: free money that is set aside for coupons, rewards and prizes.

create table pot_funding (
  id     uuid            primary key,
  pot    text            not null check (pot in ('affiliate', 'earn', 'late')),
  parts  numeric(38, 0)  not null check (parts <> 0),
  at     timestamptz     not null
);
create index pot_funding_recent on pot_funding (pot, at);
comment on table pot_funding is
  'An amount that people set aside of the desk''s free money for a pot, or took back. Its id is the cause of its journal. Rows '
  'are added and never changed.';
comment on column pot_funding.pot is 'affiliate: rewards. earn: prizes and tasks. late: late and fixed coupons.';
comment on column pot_funding.parts is 'In minor units of the unit of rewards. Below zero: back to the desk.';

create function pot_funding_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'what was set aside is never changed';
end $$;

create trigger pot_funding_is_final before update or delete on pot_funding for each row execute function pot_funding_is_final();
