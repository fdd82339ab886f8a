-- The ledger: what each journal was posted as, under a key that the database doesn't have, and the chain into which journals
-- are sealed in the order of their commits. Who changes the books by SQL can make neither anew.

-- The journals of one call and their MACs, 16 bytes of the one and 16 of the other in turn: a row for many is a third of the
-- size of a row for each. A MAC is of a journal's id, kind, cause, legs and prices, 128 bits. `xid`: the transaction that
-- posted them; all those below the oldest running one are over, so what stands there is complete.
create table journal_macs (
  xid xid8 not null,
  pack bytea not null check (octet_length(pack) > 0 and octet_length(pack) % 32 = 0)
);
-- Random bytes are not made smaller by compressing them.
alter table journal_macs alter column pack set storage external;
create index journal_macs_xid on journal_macs (xid);

-- The same, a row for each journal.
create view journal_mac as
  select xid, encode(substr(pack, at, 16), 'hex')::uuid as journal, encode(substr(pack, at + 16, 16), 'hex')::uuid as mac
  from journal_macs, generate_series(1, octet_length(pack), 32) as at;

-- Journals whose transaction is below `upto`, and not below the seal before. `digest` is made of them and of that seal's digest.
create table journal_seal (
  number bigint primary key,
  upto xid8 not null,
  journals bigint not null,
  -- Of them without a right MAC, as they were sealed.
  wrong bigint not null,
  digest uuid not null,
  at timestamptz not null
);

-- How far the books were proved: a proof goes on from the last that found nothing wrong. `mac` is of the row.
create table books_proof (
  id uuid primary key,
  at timestamptz not null,
  seal bigint not null,
  digest uuid,
  is_whole boolean not null,
  faults int not null,
  mac uuid not null
);
create index books_proof_at on books_proof (at desc);

-- The night whose proof was begun last, and when.
create table books_night (
  single boolean primary key default true check (single),
  day date not null,
  begun_at timestamptz not null
);

create rule journal_macs_are_never_updated as on update to journal_macs do instead select ledger_is_final();
create rule journal_macs_are_never_deleted as on delete to journal_macs do instead select ledger_is_final();
create rule journal_seal_is_never_updated as on update to journal_seal do instead select ledger_is_final();
create rule journal_seal_is_never_deleted as on delete to journal_seal do instead select ledger_is_final();
revoke update, delete, truncate on journal_macs, journal_seal from public, current_user;

-- What was posted lately is found by its time without an index of its size.
create index posting_at on posting using brin (at) with (pages_per_range = 16, autosummarize = on);

drop function ledger_post(uuid[], smallint[], uuid[], int[], int[], int[], int[], numeric[], numeric[], bigint[], bigint[], text[], text[], text[], numeric[], numeric[]);

-- As in 0002, with the journals' MACs: `macs`, one element per journal, written with what is posted.
create function ledger_post(
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

  insert into journal_macs (xid, pack)
  select pg_current_xact_id(), string_agg(uuid_send(given.journal) || uuid_send(given.mac), '' order by given.place)
  from unnest(journals, macs, statuses) with ordinality as given (journal, mac, status, place)
  where given.status = 0
  having count(*) > 0;

  update account set balance = line.balance, seq = line.seq, at = moment
  from unnest(ids, balances, seqs) as line (id, balance, seq)
  where account.id = line.id and account.seq <> line.seq;
end $$;
