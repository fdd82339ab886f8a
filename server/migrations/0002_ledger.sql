-- The ledger: accounts with bounds, postings from one account to another, and the only function that writes them.

-- One pot of one unit. `id` is minted from the name by the application. `balance` is what came in less what went out;
-- `seq` counts the entries; `at` is the last entry's time. Static columns come first: an update then logs only the rest.
create table account (
  id bigint primary key,
  name text not null,
  unit text not null,
  class text not null check (class in ('held', 'owed', 'own', 'spent')),
  floor numeric,
  ceiling numeric,
  balance numeric not null default 0,
  seq bigint not null default 0,
  at timestamptz not null,
  constraint account_floor check (balance >= floor),
  constraint account_ceiling check (balance <= ceiling)
) with (fillfactor = 60);

-- One leg of a journal: `parts` went from one account to another. Each side has its own gapless number and the balance
-- after it. `price` is USD for one whole unit. The wide columns come last and nothing is padded: storage is counted.
create table posting (
  at timestamptz not null,
  from_id bigint not null,
  from_seq bigint not null,
  to_id bigint not null,
  to_seq bigint not null,
  leg smallint not null,
  kind smallint not null,
  journal uuid not null,
  cause uuid not null,
  parts numeric not null,
  from_balance numeric not null,
  to_balance numeric not null,
  price numeric,
  primary key (journal, leg),
  unique (from_id, from_seq),
  unique (to_id, to_seq),
  constraint posting_parts check (parts > 0),
  constraint posting_sides check (from_id <> to_id)
);

-- A posting seen from each of its two accounts.
create view entry as
  select from_id as account_id, from_seq as seq, -parts as change, from_balance as balance, to_id as other_id,
         at, kind, journal, leg, cause, price
  from posting
  union all
  select to_id, to_seq, parts, to_balance, from_id, at, kind, journal, leg, cause, price
  from posting;

-- What is written stays: even the owner of the tables is refused. (Rules cost an insert nothing; a mistake is corrected
-- by a further journal.)
create function ledger_is_final() returns boolean language plpgsql as
$$ begin raise exception 'what stands in the ledger is final' using errcode = 'insufficient_privilege'; end $$;
create rule posting_is_never_updated as on update to posting do instead select ledger_is_final();
create rule posting_is_never_deleted as on delete to posting do instead select ledger_is_final();
create rule account_is_never_deleted as on delete to account do instead select ledger_is_final();
revoke update, delete, truncate on posting from public, current_user;
revoke delete, truncate on account from public, current_user;

-- Posts journals in their order, each whole or not at all, and says of each what became of it.
--   journals, kinds, causes, last_legs   one element per journal; last_legs: the place of its last leg among the legs
--   journal_at … prices                  one element per leg; journal_at: its journal's place; from_at, to_at: its
--                                        accounts' places in `ids`
--   ids                                  the distinct accounts, by ascending id
--   new_ids … new_ceilings               those of them that may have to be made; an account that the caller thought to
--                                        exist and doesn't is a serialization failure: to be tried again with all
--   statuses      0 posted, 1 replayed, 2 conflict, 3 floor, 4 ceiling
--   refused_legs  for 3 and 4 the leg, counted from 0
-- Safe for any number of callers at READ COMMITTED: rows are made and locked in the order of their ids, and ids of
-- journals are looked up in a later statement than the locks, so that a twin is seen. Plans are generic: custom ones
-- cost a small call half of its time.
create function ledger_post(
  journals uuid[], kinds smallint[], causes uuid[], last_legs int[],
  journal_at int[], from_at int[], to_at int[], amounts numeric[], prices numeric[],
  ids bigint[],
  new_ids bigint[], names text[], units text[], classes text[], new_floors numeric[], new_ceilings numeric[],
  out statuses smallint[], out refused_legs smallint[]
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  legs constant int := cardinality(amounts);
  -- Milliseconds, so that a time read from here and asked for again is the same.
  moment timestamptz := date_trunc('milliseconds', clock_now());
  floors numeric[];
  ceilings numeric[];
  balances numeric[];
  seqs bigint[];
  known uuid[];
  from_seqs bigint[] := array_fill(null::bigint, array[legs]);
  to_seqs bigint[] := array_fill(null::bigint, array[legs]);
  from_balances numeric[] := array_fill(null::numeric, array[legs]);
  to_balances numeric[] := array_fill(null::numeric, array[legs]);
  first int := 1;
  last int;
  f int;
  t int;
  amount numeric;
  suspect boolean;
  same boolean;
begin
  statuses := array_fill(0::smallint, array[cardinality(journals)]);
  refused_legs := statuses;

  -- Accounts are made before any is locked, both in the order of ids: so nobody waits in a circle.
  if cardinality(new_ids) > 0 then
    insert into account (id, name, unit, class, floor, ceiling, at)
    select given.*, moment
    from unnest(new_ids, names, units, classes, new_floors, new_ceilings) as given (id, name, unit, class, floor, ceiling)
    order by given.id
    on conflict (id) do nothing;
    select array_agg(name) into names
    from (select given.name from unnest(new_ids, names) as given (id, name) join account using (id)
          where account.name <> given.name) as collided;
    if names is not null then
      raise exception 'an id is minted by two names, of which one is %', names;
    end if;
  end if;

  -- An account's time never goes back, so that a past balance is found by searching its numbers.
  select array_agg(locked.balance), array_agg(locked.seq), array_agg(locked.floor), array_agg(locked.ceiling),
         greatest(moment, max(locked.at))
  into balances, seqs, floors, ceilings, moment
  from (select * from account where id = any (ids) order by id for no key update) as locked;
  if cardinality(seqs) is distinct from cardinality(ids) then
    raise exception 'not all accounts exist' using errcode = 'serialization_failure';
  end if;

  select array_agg(posting.journal) into known from posting where posting.journal = any (journals) and posting.leg = 0;

  for j in 1 .. cardinality(journals) loop
    last := last_legs[j];

    if known is not null and journals[j] = any (known) then
      select count(*) = last - first + 1 and bool_and(
        posting.kind = kinds[j] and posting.cause = causes[j]
        and posting.from_id = ids[from_at[first + posting.leg]] and posting.to_id = ids[to_at[first + posting.leg]]
        and posting.parts = amounts[first + posting.leg]
        and posting.price is not distinct from prices[first + posting.leg])
      into same from posting where posting.journal = journals[j];
      statuses[j] := case when same then 1 else 2 end;

    else
      suspect := false;
      for i in first .. last loop
        f := from_at[i];
        t := to_at[i];
        amount := amounts[i];
        balances[f] := balances[f] - amount;
        balances[t] := balances[t] + amount;
        seqs[f] := seqs[f] + 1;
        seqs[t] := seqs[t] + 1;
        from_balances[i] := balances[f];
        to_balances[i] := balances[t];
        from_seqs[i] := seqs[f];
        to_seqs[i] := seqs[t];
        if balances[f] < floors[f] or balances[t] > ceilings[t] then
          suspect := true;
        end if;
      end loop;

      -- Bounds are asked of the journal's outcome, so the order of its legs doesn't matter.
      if suspect then
        for i in first .. last loop
          if balances[from_at[i]] < floors[from_at[i]] then
            statuses[j] := 3;
          elsif balances[to_at[i]] > ceilings[to_at[i]] then
            statuses[j] := 4;
          else
            continue;
          end if;
          refused_legs[j] := i - first;
          exit;
        end loop;
      end if;
    end if;

    -- What a refused journal did to the balances is undone; a leg without a number is not written.
    if statuses[j] > 2 then
      for i in first .. last loop
        f := from_at[i];
        t := to_at[i];
        balances[f] := balances[f] + amounts[i];
        balances[t] := balances[t] - amounts[i];
        seqs[f] := seqs[f] - 1;
        seqs[t] := seqs[t] - 1;
        from_seqs[i] := null;
      end loop;
    end if;

    first := last + 1;
  end loop;

  insert into posting (at, from_id, from_seq, to_id, to_seq, leg, kind, journal, cause,
                       parts, from_balance, to_balance, price)
  select moment, ids[line.f], line.from_seq, ids[line.t], line.to_seq,
         line.place - coalesce(last_legs[line.j - 1], 0) - 1, kinds[line.j], journals[line.j], causes[line.j],
         line.amount, line.from_balance, line.to_balance, line.price
  from unnest(journal_at, from_at, from_seqs, to_at, to_seqs, amounts, from_balances, to_balances, prices)
    with ordinality as line (j, f, from_seq, t, to_seq, amount, from_balance, to_balance, price, place)
  where line.from_seq is not null;

  update account set balance = line.balance, seq = line.seq, at = moment
  from unnest(ids, balances, seqs) as line (id, balance, seq)
  where account.id = line.id and account.seq <> line.seq;
end $$;

-- The stored balance of an account as it was at a moment: a binary search over its numbers, since their times rise.
create function ledger_balance_at(account_id bigint, moment timestamptz) returns numeric
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  low bigint := 0;
  high bigint := coalesce((select account.seq from account where account.id = account_id), 0);
  middle bigint;
  found_at timestamptz;
  found_balance numeric;
  answer numeric := 0;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select side.at, side.balance into strict found_at, found_balance from (
      select posting.at, posting.from_balance as balance from posting where from_id = account_id and from_seq = middle
      union all
      select posting.at, posting.to_balance from posting where to_id = account_id and to_seq = middle
    ) as side;
    if found_at <= moment then
      low := middle;
      answer := found_balance;
    else
      high := middle - 1;
    end if;
  end loop;
  return answer;
end $$;
