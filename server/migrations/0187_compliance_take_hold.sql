-- Limits: a hold is taken and judged in one statement, the last before the posting, so that its totals are locked for as short as
-- the commit takes.

-- Takes a part of the reserve for an owner and adds it to totals, the unit's own first; fails as a conflict of transactions where
-- one would be a larger share of the whole than it may: what was read before it was taken isn't so any more.
create function take_hold(of_kind text, of_id uuid, of_parts numeric, reserve numeric, keys text[], percents int[])
returns void language plpgsql as $$
declare
  is_within boolean;
begin
  insert into unpaid_hold (owner_kind, owner_id, parts, totals) values (of_kind, of_id, of_parts, keys);
  with asked as (
    select * from unnest(keys, percents) with ordinality as asked (key, percent, place)
  ), held as (
    insert into hold_total as total (key, parts) select key, of_parts from asked order by place
    on conflict (key) do update set parts = total.parts + excluded.parts
    returning total.key, total.parts
  )
  -- What is held was reserve before it was held.
  select bool_and(held.parts * 100 <= (reserve + whole.parts - of_parts) * percent) into is_within
  from held join asked using (key) join held as whole on whole.key = keys[1];
  if not is_within then
    raise exception 'so much may not be held any more' using errcode = 'serialization_failure';
  end if;
end $$;
