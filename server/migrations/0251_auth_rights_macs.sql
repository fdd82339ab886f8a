-- What people of the desk and account holders may do stands under MACs: a role or a grant that somebody puts in gives nothing.
-- A role's rows that the owner of the tables adds have none, and count.

alter table desk_role add column mac uuid;
alter table resource_role add column mac uuid;
alter table resource_grant add column mac uuid;
