import { type Db, type Statements, monotonicMs } from '../../platform/index.ts';
import {
  type Fault,
  type Judge,
  type ProvenChains,
  causeFaults,
  nameOf,
  otherFaults,
  proveChains,
  standingFaults,
} from './judge.ts';
import { legalRows } from '../chart/legal-legs.ts';
import { potExpression, rulesTable } from '../chart/pots-sql.ts';
import { maccedFaults, proveSeals } from './prove-seals.ts';
import { type Profit, profit } from '../read/profit.ts';
import { FIRST, type Proven, type SealNote, noteFault } from '../seals/chain.ts';
import { JOURNALS } from '../seals/seal.ts';

export interface VerifyOptions {
  /** What rooms know; without them the ledger proves what it knows by itself. */
  readonly judges?: readonly Judge[];
  /** The judges are those of all rooms: a journal of a kind that none of them posts is a fault. */
  readonly isWhole?: boolean;
  /** Where the end of the chain of seals is noted. */
  readonly note?: SealNote | undefined;
  /**
   * What was proved before, and when: of entries only those that came since are walked, each from the one before it. What
   * does not grow with history (accounts, rows, the newest entry of each account) is proved whole all the same.
   */
  readonly since?: { readonly proven: Proven; readonly at: Date; readonly chains?: ProvenChains } | undefined;
  /** Most faults listed of each check; 20 by default. */
  readonly most?: number;
}

/** What we hold, what of it belongs to others and what is the desk's own, in parts. */
export interface UnitTotals {
  readonly unit: string;
  readonly held: bigint;
  readonly owed: bigint;
  readonly own: bigint;
}

export interface Report {
  readonly faults: readonly Fault[];
  readonly accounts: number;
  readonly postings: number;
  readonly units: readonly UnitTotals[];
  /** Absent where only what came since is proved. */
  readonly profit?: Profit;
  /** How far the chain of seals goes. */
  readonly proven: Proven;
  /** And how far the judges' own chains go. */
  readonly chains: ProvenChains;
  readonly seconds: number;
}

const BUDGET_MS = 600_000;

// One pass over all entries, in the order of each account's numbers. A bound is asked where a journal ends: within
// one, the order of its legs may lead through forbidden balances.
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

const UNITS_OF_LEGS = `
  select posting.journal || ' leg ' || posting.leg as account, source.unit || ' became ' || target.unit as words
  from posting join account source on source.id = from_id join account target on target.id = to_id
  where source.unit <> target.unit limit $1`;

// The same of what came since a proof: each entry from the one before it, and the newest of each account beside its balance.
const RECENT = `
  with fresh as (select * from posting where journal in (select journal from journal_mac where xid >= $2::xid8)),
  side as (
    select from_id as id, from_seq as seq, -parts as change, from_balance as balance, at from fresh
    union all select to_id, to_seq, parts, to_balance, at from fresh
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
const NEWEST = `
  select account.name as account, 'stored balance ' || account.balance || ' at its entry ' || account.seq || ', which says ' ||
    coalesce(newest.balance::text, 'nothing') as words
  from account left join lateral (
    select from_balance as balance from posting where from_id = account.id and from_seq = account.seq
    union all select to_balance from posting where to_id = account.id and to_seq = account.seq
  ) as newest on true
  where coalesce(newest.balance, case when account.seq = 0 then 0 end) is distinct from account.balance limit $1`;

// Whether each account is what its name says: of a pot of the chart, with the class, the bounds and the unit of that pot.
const CHART = `
  with potted as (select account.*, ${potExpression('name')} as pot from account)
  select potted.name as account, concat_ws('; ',
    case when rules.pot is null then 'no account of the chart is called so' end,
    case when potted.class <> rules.class then 'is ' || potted.class || ', and by its name ' || rules.class end,
    case when potted.floor is distinct from rules.floor
      then 'its floor is ' || coalesce(potted.floor::text, 'none') || ', and by its name ' || coalesce(rules.floor::text, 'none') end,
    case when potted.ceiling is distinct from rules.ceiling
      then 'its ceiling is ' || coalesce(potted.ceiling::text, 'none') || ', and by its name ' || coalesce(rules.ceiling::text, 'none') end,
    case when not is_of_unit then 'is counted in ' || unit || ', which its name does not say' end) as words
  from potted
  left join ${rulesTable()} on rules.pot = potted.pot and rules.pieces = cardinality(string_to_array(potted.name, ':'))
  cross join lateral (select case when unit_at > 0 then split_part(potted.name, ':', unit_at) = unit
    else split_part(potted.name, ':', 2) = unit or split_part(potted.name, ':', 2) ~ ('^' || unit || '[_-]') end as is_of_unit) as named
  where rules.pot is null or potted.class <> rules.class or potted.floor is distinct from rules.floor
    or potted.ceiling is distinct from rules.ceiling or not is_of_unit
  limit $1`;

// Journals whose legs are not of their kind.
const kindsOfLegs = (postings: string): string => `
  with potted as (select id, ${potExpression('name')} as pot from account),
  legal as (select * from unnest($2::smallint[], $3::text[], $4::text[], $5::boolean[]) as given (kind, from_pot, to_pot, is_own))
  select posting.journal, posting.kind,
         min(source.pot || ' → ' || target.pot) filter (where is_own is null) as illegal
  from ${postings} join potted source on source.id = from_id join potted target on target.id = to_id
  left join legal on legal.kind = posting.kind and from_pot = source.pot and to_pot = target.pot
  group by posting.journal, posting.kind having bool_or(is_own is null) or not bool_or(is_own)
  limit $1`;

/** A posting can't be later than the moment in which it is looked at, but for clocks of two machines that differ. */
const AHEAD = `5 minutes`;
const FUTURE = `
  select journal || ' leg ' || leg as account, 'stands at ' || at || ', which is yet to come' as words
  from posting where at > clock_now() + interval '${AHEAD}' limit $1`;

const TOTALS = `
  select unit,
         -coalesce(sum(balance) filter (where class = 'held'), 0) as held,
         coalesce(sum(balance) filter (where class = 'owed'), 0) as owed,
         coalesce(sum(balance) filter (where class in ('own', 'spent')), 0) as own
  from account group by unit order by unit`;

/**
 * Proves the books in one frozen view, while others go on posting: stored balances = sums of entries, numbers gapless,
 * running balances, times and bounds; legs of one unit; own = held − owed in each unit; profit = operating +
 * revaluation to the last digit, and the own money it ends with = the accounts'; every account what its name says, every
 * leg one of its journal's kind, nothing in the future; and what the judges know.
 */
export async function verify(db: Db, options: VerifyOptions = {}): Promise<Report> {
  const { judges = [], isWhole = false, most = 20, note, since } = options;
  const start = monotonicMs();
  const noted = note?.read();
  return db.tx(
    async (tx) => {
      await tx.run(`set local statement_timeout = ${BUDGET_MS}`);
      await tx.run(`set local work_mem = '256MB'`);
      await tx.run('set local jit = off');
      const faults = since ? await recentFaults(tx, since.proven, most) : await entryFaults(tx, most);
      const units = await totals(tx);
      const earned = since ? undefined : await profit(tx);
      faults.push(...identityFaults(units, earned), ...(await judged(tx, { judges, isWhole, most, since: since?.proven })));
      const seals = await proveSeals(tx, since?.proven ?? FIRST, most);
      const own = await proveChains(tx, judges, { most, before: since?.chains ?? {} });
      faults.push(...seals.faults, ...own.faults, ...(await maccedFaults(tx, most, since?.at)), ...(await cutOff(tx, noted)));
      const counts = await tx.row<{ accounts: string; postings: string }>(
        'select (select count(*) from account) as accounts, (select count(*) from posting) as postings',
      );
      return {
        faults,
        accounts: +(counts?.accounts ?? 0),
        postings: +(counts?.postings ?? 0),
        units,
        ...(earned && { profit: earned }),
        proven: seals.proven,
        chains: own.chains,
        seconds: (monotonicMs() - start) / 1000,
      };
    },
    { snapshot: true, budget: BUDGET_MS },
  );
}

const listed = async (db: Statements, check: string, sql: string, values: readonly unknown[]): Promise<Fault[]> =>
  (await db.rows<Omit<Fault, 'check'>>(sql, [...values])).map((fault) => ({ check, ...fault }));

/** Every entry there is. */
async function entryFaults(tx: Statements, most: number): Promise<Fault[]> {
  // Whole tables are read once and sorted: fetching them in the order of an index takes twice the time.
  await tx.run('set local enable_indexscan = off');
  const faults = [
    ...(await listed(tx, 'account', ACCOUNTS, [most])),
    ...(await listed(tx, 'chart', CHART, [most])),
    ...(await listed(tx, 'leg', UNITS_OF_LEGS, [most])),
    ...(await listed(tx, 'time', FUTURE, [most])),
    ...(await illegalLegs(tx, 'posting', most)),
  ];
  await tx.run('set local enable_indexscan = on');
  return faults;
}

/** The entries of journals that were not sealed when the last proof ended. */
async function recentFaults(tx: Statements, { upto }: Proven, most: number): Promise<Fault[]> {
  const fresh = `(select * from posting where journal in (select journal from journal_mac where xid >= '${BigInt(upto)}'::xid8)) as posting`;
  return [
    ...(await listed(tx, 'account', RECENT, [most, upto])),
    ...(await listed(tx, 'account', NEWEST, [most])),
    ...(await listed(tx, 'chart', CHART, [most])),
    ...(await listed(tx, 'time', FUTURE, [most])),
    ...(await illegalLegs(tx, fresh, most)),
  ];
}

async function cutOff(db: Statements, noted: ReturnType<SealNote['read']>): Promise<Fault[]> {
  const words = await noteFault(db, JOURNALS, noted);
  return words === undefined ? [] : [{ check: 'seal', words }];
}

async function totals(db: Statements): Promise<UnitTotals[]> {
  const rows = await db.rows<Record<keyof UnitTotals, string>>(TOTALS);
  return rows.map(({ unit, held, owed, own }) => ({ unit, held: BigInt(held), owed: BigInt(owed), own: BigInt(own) }));
}

function identityFaults(units: readonly UnitTotals[], earned: Profit | undefined): Fault[] {
  const faults: Fault[] = [];
  for (const { unit, held, owed, own } of units) {
    if (own !== held - owed) {
      faults.push({ check: 'own = held − owed', words: `${unit}: own ${own}, held ${held}, owed ${owed}` });
    }
    const walked = earned?.units.find((one) => one.unit === unit)?.closing ?? 0n;
    if (earned && walked !== own) {
      faults.push({ check: 'own', words: `${unit}: accounts say ${own}, the changes since the beginning ${walked}` });
    }
  }
  if (earned && !earned.exact) {
    const { profit: whole, operating, revaluation } = earned;
    faults.push({ check: 'profit', words: `${whole} is not operating ${operating} + revaluation ${revaluation}` });
  }
  return faults;
}

async function illegalLegs(db: Statements, postings: string, most: number): Promise<Fault[]> {
  const { kinds, from, to, own } = legalRows();
  const rows = await db.rows<{ journal: string; kind: number; illegal: string | null }>(kindsOfLegs(postings), [
    most,
    kinds,
    from,
    to,
    own,
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

async function judged(
  db: Statements,
  {
    judges,
    isWhole,
    most,
    since,
  }: {
    readonly judges: readonly Judge[];
    readonly isWhole: boolean;
    readonly most: number;
    readonly since: Proven | undefined;
  },
): Promise<Fault[]> {
  return [
    ...(await standingFaults(db, judges, most)),
    ...(await causeFaults(db, judges, { isWhole, most })),
    ...(await otherFaults(db, judges, { most, since })),
  ];
}
