-- Payments: the database was found older than what its keys have noted, or its keys were brought back from a backup.
-- While one row has no end, no money leaves by any rail. Two people end it.
--   why        what showed it, as a list: {"found": …, "detail": …}
--   ended_by   the two people
create table restored (
  id uuid primary key,
  at timestamptz not null,
  why jsonb not null,
  ended_at timestamptz,
  ended_by text[],
  mac uuid not null
);
create unique index restored_open on restored ((true)) where ended_at is null;

-- A row is never taken back: it can only learn more, and end.
create function restored_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.id <> old.id or new.at <> old.at then
    raise exception 'the history of restores is never changed';
  end if;
  return new;
end $$;
create trigger restored_is_kept before update or delete on restored for each row execute function restored_is_kept();

-- Those who run the desk see it, and end it. The owner of the tables adds these permissions: an act of the desk is asked for
-- where the application adds some.
alter table desk_role disable trigger desk_role_has_act;
insert into desk_role (role, permissions, by)
  select role, permissions || array['restored.end', 'restored.read'], 'installation'
  from (select distinct on (role) role, permissions from desk_role order by role, seq desc) as newest
  where role = 'operator';
alter table desk_role enable trigger desk_role_has_act;
