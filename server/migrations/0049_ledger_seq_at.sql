-- Statements: how many entries an account had at a moment, so that a range of days is a range of numbers.

-- The number of an account's last entry at or before a moment; 0 where there was none. A binary search over its numbers,
-- since their times rise: no index on time is needed.
create function ledger_seq_at(account_id bigint, moment timestamptz) returns bigint
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  low bigint := 0;
  high bigint := coalesce((select account.seq from account where account.id = account_id), 0);
  middle bigint;
  found_at timestamptz;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select side.at into strict found_at from (
      select posting.at from posting where from_id = account_id and from_seq = middle
      union all
      select posting.at from posting where to_id = account_id and to_seq = middle
    ) as side;
    if found_at <= moment then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $$;
