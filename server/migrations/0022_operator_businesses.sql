-- Operator: people of the desk read businesses, and compliance officers decide about them.

-- No action of the desk adds these permissions. Only the owner of the table may switch the trigger off.
alter table desk_role disable trigger desk_role_has_action;
insert into desk_role (role, permissions, by)
  select role,
    permissions || case role when 'operator' then array['businesses.read'] else array['businesses.judge', 'businesses.read'] end,
    'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest
  where role in ('operator', 'compliance')
  order by role;
alter table desk_role enable trigger desk_role_has_action;
