-- Operator: the log of letters and webhooks is read, and one delivered once more, by those who run the desk.

insert into desk_role (role, permissions, by)
  select role, permissions || array['deliveries.read', 'deliveries.replay'], 'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest
  where role = 'operator';
