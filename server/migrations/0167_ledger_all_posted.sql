-- The ledger: a call that must post all of its journals or none fails by itself, so that the commit can be sent along with it.

-- True where each status is 0 (posted); else it fails with KU001, whose detail has the statuses and the refused legs.
create function all_posted(statuses smallint[], refused_legs smallint[]) returns boolean language plpgsql as $$
begin
  if 0 <> any (statuses) then
    raise exception 'not all journals were posted' using errcode = 'KU001',
      detail = array_to_string(statuses, ',') || ' ' || array_to_string(refused_legs, ',');
  end if;
  return true;
end $$;
