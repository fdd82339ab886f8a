-- The ledger: the MACs of a call are packed as its journals are gone through. To unnest and aggregate them again took as long as
-- writing them, in a call of few journals.

-- As in 0096 but for `pack`.
create or replace function ledger_post(
  journals uuid[], kinds smallint[], causes uuid[], last_legs int[],
  journal_at int[], from_at int[], to_at int[], amounts numeric[], prices numeric[],
  ids bigint[],
  new_ids bigint[], names text[], units text[], classes text[], new_floors numeric[], new_ceilings numeric[],
  macs uuid[],
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
  pack bytea := '';
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

    if statuses[j] = 0 then
      pack := pack || uuid_send(journals[j]) || uuid_send(macs[j]);
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

  if pack <> '' then
    insert into journal_macs (xid, pack) values (pg_current_xact_id(), pack);
  end if;

  update account set balance = line.balance, seq = line.seq, at = moment
  from unnest(ids, balances, seqs) as line (id, balance, seq)
  where account.id = line.id and account.seq <> line.seq;
end $$;
