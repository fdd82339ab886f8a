// Checks that accounts and entries are as consistent as `ledger_post` leaves them. Covers all accounts and entries, or only
// those in the scope of a night's proof.

import type { Statements } from '../../platform/index.ts';
import { type Fault, nameOf } from './checks.ts';
import { legalRows } from '../chart/legal-legs.ts';
import type { Scope } from './night-scope.ts';
import { accountTypeExpression, rulesTable } from '../chart/account-types-sql.ts';

/** Returns SQL for the postings of the journals whose ids are in a parameter. */
const postingsOf = (ids: string): string => `(select * from posting where journal = any (${ids}::uuid[])) as posting`;
const SOME_POSTINGS = postingsOf('$2');
const SOME_ACCOUNTS = '(select * from account where id = any ($2::bigint[])) as account';

// SQL: checks all accounts in one pass over their entries, in the order of the entries' numbers. Bounds are checked only at the
// end of a journal, since a journal's legs may exceed them in between.
const ACCOUNTS = `
  with walked as (
    select account_id, seq, change, balance, at,
           lag(seq, 1, 0::bigint) over numbers as seq_before,
           lag(balance, 1, 0::numeric) over numbers as balance_before,
           lag(at) over numbers as at_before,
           lead(journal) over numbers is distinct from journal as is_last
    from entry window numbers as (partition by account_id order by seq)
  ),
  proven as (
    select account_id, count(*) as entries, sum(change) as total, max(at) as last_at,
           min(balance) filter (where is_last) as lowest, max(balance) filter (where is_last) as highest,
           bool_and(seq = seq_before + 1) as is_gapless,
           bool_and(balance = balance_before + change) as is_running,
           bool_and(at >= coalesce(at_before, at)) as is_rising
    from walked group by account_id
  ),
  judged as (
    select coalesce(account.name, 'id ' || account_id) as account, array_remove(array[
      case when account.id is null then 'entries of an account that does not exist' end,
      case when account.balance <> coalesce(total, 0)
        then 'stored balance ' || account.balance || ', sum of its entries ' || coalesce(total, 0) end,
      case when account.seq <> coalesce(entries, 0)
        then 'counts ' || account.seq || ' entries and has ' || coalesce(entries, 0) end,
      case when not is_gapless then 'its numbers have a gap or a double' end,
      case when not is_running then 'a balance after an entry is not the one before plus its change' end,
      case when not is_rising or last_at <> account.at then 'its times go back' end,
      case when lowest < account.floor then 'stood at ' || lowest || ', below its floor ' || account.floor end,
      case when highest > account.ceiling then 'stood at ' || highest || ', above its ceiling ' || account.ceiling end,
      case when account.id <> (('x' || left(encode(sha256(account.name::bytea), 'hex'), 16))::bit(64) >> 1)::bigint
        then 'its id is not minted from its name' end
    ], null) as faults
    from account full join proven on proven.account_id = account.id
  )
  select account, words from judged, unnest(faults) as words limit $1`;

const unitsOfLegs = (postings: string): string => `
  select posting.journal || ' leg ' || posting.leg as account, source.unit || ' became ' || target.unit as words
  from ${postings} join account source on source.id = from_id join account target on target.id = to_id
  where source.unit <> target.unit limit $1`;

// SQL: checks the entries of some journals. Each entry is compared with the previous entry of the same account.
const BESIDE = `
  with side as (
    select from_id as id, from_seq as seq, -parts as change, from_balance as balance, at from ${SOME_POSTINGS}
    union all select to_id, to_seq, parts, to_balance, at from ${SOME_POSTINGS}
  ),
  beside as (
    select side.*, earlier.balance as balance_before, earlier.at as at_before from side left join lateral (
      select from_balance as balance, at from posting where from_id = side.id and from_seq = side.seq - 1
      union all select to_balance, at from posting where to_id = side.id and to_seq = side.seq - 1
    ) as earlier on true
  )
  select coalesce(account.name, 'id ' || beside.id) as account, concat_ws('; ',
    case when account.id is null then 'entries of an account that does not exist' end,
    case when beside.seq > 1 and balance_before is null then 'its numbers have a gap or a double' end,
    case when beside.balance <> coalesce(balance_before, 0) + change then 'a balance after an entry is not the one before plus its change' end,
    case when beside.at < at_before then 'its times go back' end) as words
  from beside left join account on account.id = beside.id
  where account.id is null or (beside.seq > 1 and balance_before is null)
    or beside.balance <> coalesce(balance_before, 0) + change or beside.at < at_before
  limit $1`;
// SQL: compares each account's stored balance with the balance after its newest entry.
const NEWEST = `
  select account.name as account, 'stored balance ' || account.balance || ' at its entry ' || account.seq || ', which says ' ||
    coalesce(newest.balance::text, 'nothing') as words
  from ${SOME_ACCOUNTS} left join lateral (
    select from_balance as balance from posting where from_id = account.id and from_seq = account.seq
    union all select to_balance from posting where to_id = account.id and to_seq = account.seq
  ) as newest on true
  where coalesce(newest.balance, case when account.seq = 0 then 0 end) is distinct from account.balance limit $1`;

// Returns SQL that checks each account against its name: the chart must have the account's type, with the same class, bounds and
// unit.
const chart = (rows: string): string => `
  with typed as (select account.*, ${accountTypeExpression('name')} as type from ${rows})
  select typed.name as account, concat_ws('; ',
    case when rules.type is null then 'no account of the chart is called so' end,
    case when typed.class <> rules.class then 'is ' || typed.class || ', and by its name ' || rules.class end,
    case when typed.floor is distinct from rules.floor
      then 'its floor is ' || coalesce(typed.floor::text, 'none') || ', and by its name ' || coalesce(rules.floor::text, 'none') end,
    case when typed.ceiling is distinct from rules.ceiling
      then 'its ceiling is ' || coalesce(typed.ceiling::text, 'none') || ', and by its name ' || coalesce(rules.ceiling::text, 'none') end,
    case when not is_of_unit then 'is counted in ' || unit || ', which its name does not say' end) as words
  from typed
  left join ${rulesTable()} on rules.type = typed.type and rules.pieces = cardinality(string_to_array(typed.name, ':'))
  cross join lateral (select case when unit_at > 0 then split_part(typed.name, ':', unit_at) = unit
    else split_part(typed.name, ':', 2) = unit or split_part(typed.name, ':', 2) ~ ('^' || unit || '[_-]') end as is_of_unit) as named
  where rules.type is null or typed.class <> rules.class or typed.floor is distinct from rules.floor
    or typed.ceiling is distinct from rules.ceiling or not is_of_unit
  limit $1`;

// Returns SQL that finds journals with legs that are illegal for their kind.
const kindsOfLegs = (postings: string, isWhole: boolean): string => `
  with typed as ${isWhole ? '' : 'not'} materialized (select id, ${accountTypeExpression('name')} as type from account),
  legal as (select * from unnest($2::smallint[], $3::text[], $4::text[], $5::boolean[]) as given (kind, from_type, to_type, is_own))
  select posting.journal, posting.kind,
         min(source.type || ' → ' || target.type) filter (where is_own is null) as illegal
  from ${postings} join typed source on source.id = from_id join typed target on target.id = to_id
  left join legal on legal.kind = posting.kind and from_type = source.type and to_type = target.type
  group by posting.journal, posting.kind having bool_or(is_own is null) or not bool_or(is_own)
  limit $1`;

/** Tolerance for the time of a posting to lie in the future, since the clocks of two machines may differ. */
const AHEAD = `5 minutes`;
const FUTURE = `
  select journal || ' leg ' || leg as account, 'stands at ' || at || ', which is yet to come' as words
  from posting where at > (select clock_now() + interval '${AHEAD}') limit $1`;

/** Returns the faults of all accounts and entries. */
export async function entryFaults(tx: Statements, max: number): Promise<Fault[]> {
  // Makes PostgreSQL read and sort whole tables. Reading them in the order of an index takes twice as long.
  await tx.run('set local enable_indexscan = off');
  const faults = [
    ...(await listed(tx, 'account', ACCOUNTS, [max])),
    ...(await listed(tx, 'chart', chart('account'), [max])),
    ...(await listed(tx, 'leg', unitsOfLegs('posting'), [max])),
    ...(await listed(tx, 'time', FUTURE, [max])),
    ...(await illegalLegs(tx, kindsOfLegs('posting', true), max)),
  ];
  await tx.run('set local enable_indexscan = on');
  return faults;
}

/** Returns the faults of the accounts and entries that a night's proof covers. */
export async function scopedEntryFaults(tx: Statements, { journals, accounts }: Scope, max: number): Promise<Fault[]> {
  return [
    ...(await listed(tx, 'account', BESIDE, [max, journals])),
    ...(await listed(tx, 'account', NEWEST, [max, accounts])),
    ...(await listed(tx, 'chart', chart(SOME_ACCOUNTS), [max, accounts])),
    ...(await listed(tx, 'leg', unitsOfLegs(SOME_POSTINGS), [max, journals])),
    ...(await listed(tx, 'time', FUTURE, [max])),
    ...(await illegalLegs(tx, kindsOfLegs(postingsOf('$6'), false), max, [journals])),
  ];
}

const listed = async (db: Statements, check: string, sql: string, values: readonly unknown[]): Promise<Fault[]> =>
  (await db.rows<Omit<Fault, 'check'>>(sql, [...values])).map((fault) => ({ check, ...fault }));

async function illegalLegs(db: Statements, sql: string, max: number, more: readonly unknown[] = []): Promise<Fault[]> {
  const { kinds, from, to, own } = legalRows();
  const rows = await db.rows<{ journal: string; kind: number; illegal: string | null }>(sql, [
    ...[max, kinds, from, to, own],
    ...more,
  ]);
  return rows.map(({ journal, kind, illegal }) => ({
    check: 'kind',
    account: journal,
    words:
      illegal === null
        ? `no leg of it makes it of the kind ${nameOf(kind)}`
        : `a journal of the kind ${nameOf(kind)} has no leg ${illegal}`,
  }));
}
