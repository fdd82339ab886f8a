-- Operators read reports of the desk's money and the list of directions. The owner of the tables adds these permissions: an act
-- of the desk is asked for where the application adds some.
alter table desk_role disable trigger desk_role_has_act;
insert into desk_role (role, permissions, by)
  select role, permissions || array['directions.read', 'reports.read'], 'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest
  where role = 'operator';
alter table desk_role enable trigger desk_role_has_act;
