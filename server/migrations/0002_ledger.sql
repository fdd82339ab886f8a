-- Ledger: accounts with bounds, postings from one account to another, the only function that writes them, and their proof.

create table account (
  id       bigint       primary key,
  name     text         not null,
  unit     text         not null,
  class    text         not null check (class in ('held', 'owed', 'own', 'spent')),
  floor    numeric,
  ceiling  numeric,
  balance  numeric      not null default 0,
  seq      bigint       not null default 0,
  at       timestamptz  not null,
  constraint account_floor check (balance >= floor),
  constraint account_ceiling check (balance <= ceiling)
) with (fillfactor = 60);
comment on table account is
  'An account of one unit. The row is made when the account is first posted to. Static columns come first, so that an update '
  'logs only the rest.';
comment on column account.id is 'Made from the name by the application.';
comment on column account.name is 'Built from parts of the chart of accounts, such as `wallet:<holder>:USDT`.';
comment on column account.class is
  'held: what we have. owed: what belongs to others. own: the desk''s. spent: the desk''s money that is gone since the books '
  'were last closed.';
comment on column account.floor is 'Least balance. Null: none.';
comment on column account.ceiling is 'Greatest balance. Null: none.';
comment on column account.balance is 'Sum of incoming less sum of outgoing postings, in minor units.';
comment on column account.seq is 'Number of entries.';
comment on column account.at is 'Time of the last entry. It never goes back.';

create table posting (
  at            timestamptz  not null,
  from_id       bigint       not null,
  from_seq      bigint       not null,
  to_id         bigint       not null,
  to_seq        bigint       not null,
  leg           smallint     not null,
  kind          smallint     not null,
  journal       uuid         not null,
  cause         uuid         not null,
  parts         numeric      not null constraint posting_parts check (parts > 0),
  from_balance  numeric      not null,
  to_balance    numeric      not null,
  price         numeric,
  primary key (journal, leg),
  unique (from_id, from_seq),
  unique (to_id, to_seq),
  constraint posting_sides check (from_id <> to_id)
);
create index posting_at on posting using brin (at) with (pages_per_range = 16, autosummarize = on);
comment on table posting is
  'One leg of a journal: an amount that went from one account to another. Wide columns come last and nothing is padded, since '
  'storage is counted.';
comment on column posting.from_seq is 'Number of this entry among those of the account that it left, without gaps.';
comment on column posting.to_seq is 'Number of this entry among those of the account that it reached, without gaps.';
comment on column posting.leg is 'Position of the leg in its journal, from 0.';
comment on column posting.kind is 'Number of the journal''s kind, from `KINDS`.';
comment on column posting.cause is 'Id of the row that the journal is about.';
comment on column posting.parts is 'Amount in minor units.';
comment on column posting.from_balance is 'Balance of the account that it left, after it.';
comment on column posting.to_balance is 'Balance of the account that it reached, after it.';
comment on column posting.price is 'USD for one whole unit.';

create view entry as
  select from_id as account_id, from_seq as seq, -parts as change, from_balance as balance, to_id as other_id,
         at, kind, journal, leg, cause, price
  from posting
  union all
  select to_id, to_seq, parts, to_balance, from_id, at, kind, journal, leg, cause, price
  from posting;
comment on view entry is 'A posting as one of its two accounts sees it: two rows for each posting.';
comment on column entry.seq is 'Number of the entry among those of its account, without gaps.';
comment on column entry.change is 'Amount in minor units. Positive: incoming. Negative: outgoing.';
comment on column entry.balance is 'Balance of the account after the entry.';
comment on column entry.other_id is 'The other account of the posting.';

create table journal_macs (
  xid   xid8   not null,
  pack  bytea  not null check (octet_length(pack) > 0 and (octet_length(pack) % 32) = 0)
);
alter table journal_macs alter column pack set storage external;
create index journal_macs_xid on journal_macs (xid);
comment on table journal_macs is
  'The journals of one call with their MACs. One row for many is a third of the size of a row for each.';
comment on column journal_macs.xid is 'Transaction that posted them. Those below the oldest running transaction are complete.';
comment on column journal_macs.pack is
  '16 bytes of a journal''s id and 16 of its MAC, in turn. The MAC covers the id, kind, cause, legs and prices. Random bytes '
  'don''t compress, so they are stored as they are.';

-- `offset 0` makes a long pack be fetched once before it is cut. Otherwise each cut would fetch it again.
create view journal_mac as
  select xid, encode(substr(whole, at, 16), 'hex')::uuid as journal, encode(substr(whole, at + 16, 16), 'hex')::uuid as mac
  from journal_macs,
    lateral (select pack || ''::bytea as whole offset 0) as fetched,
    generate_series(1, octet_length(whole), 32) as at;
comment on view journal_mac is 'The MAC of one journal, cut out of its row of `journal_macs`.';

create table journal_seal (
  number    bigint       primary key,
  upto      xid8         not null,
  journals  bigint       not null,
  wrong     bigint       not null,
  digest    uuid         not null,
  at        timestamptz  not null,
  form      smallint     not null default 2
);
comment on table journal_seal is
  'A seal: a link in the chain over the journals whose transaction is below `upto` and not below that of the seal before.';
comment on column journal_seal.wrong is 'Journals without a valid MAC at the time of sealing.';
comment on column journal_seal.digest is 'Made of these journals and of the digest of the seal before.';
comment on column journal_seal.form is
  'Version of the digest. 2: of packs as stored, and of the legs that belong to them.';

create table books_proof (
  id        uuid         primary key,
  at        timestamptz  not null,
  seal      bigint       not null,
  digest    uuid,
  is_whole  boolean      not null,
  faults    int          not null,
  mac       uuid         not null,
  chains    jsonb        not null default '{}',
  funded    bigint[]     not null default '{}',
  round     bigint
);
create index books_proof_at on books_proof (at desc);
comment on table books_proof is 'A finished proof of the books. The next one goes on from the last that found nothing wrong.';
comment on column books_proof.seal is 'Last seal that was proved.';
comment on column books_proof.is_whole is 'True if all of the books were proved, not only a night''s part.';
comment on column books_proof.faults is 'Number of faults that were found.';
comment on column books_proof.chains is 'Last proved seal of each other chain, by table.';
comment on column books_proof.funded is 'Accounts with a balance at the end of the proof.';
comment on column books_proof.round is 'Seal up to which older journals were proved again. 0: the round starts again.';

create table books_night (
  single    boolean      primary key default true check (single),
  day       date         not null,
  begun_at  timestamptz  not null
);
comment on table books_night is 'The one row: the night whose proof was begun last.';
comment on column books_night.single is 'Always true, so that there is one row.';

-- Rows of the ledger are final: even the owner of the tables can't change or delete them. A mistake is corrected by another
-- journal. Rules are used because they cost an insert nothing.
create function ledger_is_final() returns boolean language plpgsql as
$$ begin raise exception 'what stands in the ledger is final' using errcode = 'insufficient_privilege'; end $$;

create rule posting_is_never_updated as on update to posting do instead select ledger_is_final();
create rule posting_is_never_deleted as on delete to posting do instead select ledger_is_final();
create rule account_is_never_deleted as on delete to account do instead select ledger_is_final();
create rule journal_macs_are_never_updated as on update to journal_macs do instead select ledger_is_final();
create rule journal_macs_are_never_deleted as on delete to journal_macs do instead select ledger_is_final();
create rule journal_seal_is_never_updated as on update to journal_seal do instead select ledger_is_final();
create rule journal_seal_is_never_deleted as on delete to journal_seal do instead select ledger_is_final();

revoke update, delete, truncate on posting from public, current_user;
revoke delete, truncate on account from public, current_user;
revoke update, delete, truncate on journal_macs, journal_seal from public, current_user;

-- Posts journals in their order, each as a whole or not at all, and returns the outcome of each.
--   journals, kinds, causes, last_legs   one element per journal; last_legs: position of its last leg among all legs
--   journal_at … prices                  one element per leg; journal_at: position of its journal; from_at, to_at: positions
--                                        of its accounts in `ids`
--   ids                                  the distinct accounts of all legs, by ascending id
--   new_ids … new_ceilings               accounts that may have to be created. If another account of `ids` doesn't exist,
--                                        the call fails as a serialization failure, and the caller repeats it with all
--                                        accounts here
--   macs                                 MAC of each journal; those of posted journals are stored
--   statuses                             0 posted, 1 replayed, 2 conflict, 3 floor, 4 ceiling
--   refused_legs                         for statuses 3 and 4: the refused leg, counted from 0
-- Safe for any number of callers at READ COMMITTED: rows are created and locked in the order of their ids. Ids of journals are
-- looked up in a later statement than the locks, so that the same journal posted by a concurrent call is found. Plans are
-- generic, because custom plans make a small call take twice as long.
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
  -- Rounded to milliseconds, so that a caller can read this time and send exactly the same time back.
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

  -- Accounts are created before any account is locked. Both happen in the order of ids, so that no two calls wait for each other.
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

  -- The times of an account's entries never go back, so a past balance is found by a binary search over the entries' numbers.
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

      -- Bounds are checked only after all legs of a journal, so the order of the legs doesn't matter.
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

    -- Undoes the changes of balances by a refused journal. Its legs lose their numbers, and a leg without a number is not
    -- written.
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

-- Returns true if each status is 0 (posted). Otherwise fails with KU001, whose detail has the statuses and the refused legs.
create function all_posted(statuses smallint[], refused_legs smallint[]) returns boolean language plpgsql as $$
begin
  if 0 <> any (statuses) then
    raise exception 'not all journals were posted' using errcode = 'KU001',
      detail = array_to_string(statuses, ',') || ' ' || array_to_string(refused_legs, ',');
  end if;
  return true;
end $$;

-- Returns the balance of an account at a moment. A binary search over the numbers of its entries, whose times never go back.
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

-- Returns the number of an account's last entry at or before a moment; 0 if there is none. A binary search, as above, so no index
-- on time is needed.
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
