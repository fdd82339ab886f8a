import { type Db, type Statements, monotonicMs } from '../platform/index.ts';
import type { AccountClass } from './chart.ts';
import { type Profit, profit } from './profit.ts';

/** Something that can't be in right books. */
export interface Fault {
  readonly check: string;
  readonly account?: string;
  readonly words: string;
}

/** An account that is not empty; `balance` as shown. */
export interface Holding {
  readonly account: string;
  readonly unit: string;
  readonly class: AccountClass;
  readonly balance: bigint;
}

/**
 * What another room knows about its accounts and the ledger doesn't: it is shown every account that is not empty and
 * whose name begins with `prefix` (`'order:'`) and says which of them should be, because what they belong to is at rest.
 * It reads in the same frozen view of the database.
 */
export interface Judge {
  readonly prefix: string;
  judge(db: Statements, holdings: readonly Holding[]): Promise<readonly Fault[]>;
}

export interface VerifyOptions {
  readonly judges?: readonly Judge[];
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
  readonly profit: Profit;
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

const TOTALS = `
  select unit,
         -coalesce(sum(balance) filter (where class = 'held'), 0) as held,
         coalesce(sum(balance) filter (where class = 'owed'), 0) as owed,
         coalesce(sum(balance) filter (where class in ('own', 'spent')), 0) as own
  from account group by unit order by unit`;

/**
 * Proves the books in one frozen view, while others go on posting: stored balances = sums of entries, numbers gapless,
 * running balances, times and bounds; legs of one unit; own = held − owed in each unit; profit = operating +
 * revaluation to the last digit, and the own money it ends with = the accounts'; and what the judges know.
 */
export async function verify(db: Db, { judges = [], most = 20 }: VerifyOptions = {}): Promise<Report> {
  const start = monotonicMs();
  return db.tx(
    async (tx) => {
      await tx.run(`set local statement_timeout = ${BUDGET_MS}`);
      await tx.run(`set local work_mem = '256MB'`);
      // Whole tables are read once and sorted: fetching them in the order of an index takes twice the time.
      await tx.run('set local enable_indexscan = off');
      await tx.run('set local jit = off');
      const listed = async (check: string, sql: string): Promise<Fault[]> =>
        (await tx.rows<Omit<Fault, 'check'>>(sql, [most])).map((fault) => ({ check, ...fault }));
      const faults = [...(await listed('account', ACCOUNTS)), ...(await listed('leg', UNITS_OF_LEGS))];
      const units = await totals(tx);
      const earned = await profit(tx);
      faults.push(...identityFaults(units, earned), ...(await judged(tx, judges, most)));
      const counts = await tx.row<{ accounts: string; postings: string }>(
        'select (select count(*) from account) as accounts, (select count(*) from posting) as postings',
      );
      return {
        faults,
        accounts: +(counts?.accounts ?? 0),
        postings: +(counts?.postings ?? 0),
        units,
        profit: earned,
        seconds: (monotonicMs() - start) / 1000,
      };
    },
    { snapshot: true, budget: BUDGET_MS },
  );
}

async function totals(db: Statements): Promise<UnitTotals[]> {
  const rows = await db.rows<Record<keyof UnitTotals, string>>(TOTALS);
  return rows.map(({ unit, held, owed, own }) => ({ unit, held: BigInt(held), owed: BigInt(owed), own: BigInt(own) }));
}

function identityFaults(units: readonly UnitTotals[], earned: Profit): Fault[] {
  const faults: Fault[] = [];
  for (const { unit, held, owed, own } of units) {
    if (own !== held - owed) {
      faults.push({ check: 'own = held − owed', words: `${unit}: own ${own}, held ${held}, owed ${owed}` });
    }
    const walked = earned.units.find((one) => one.unit === unit)?.closing ?? 0n;
    if (walked !== own) {
      faults.push({ check: 'own', words: `${unit}: accounts say ${own}, the changes since the beginning ${walked}` });
    }
  }
  if (!earned.exact) {
    const { profit: whole, operating, revaluation } = earned;
    faults.push({ check: 'profit', words: `${whole} is not operating ${operating} + revaluation ${revaluation}` });
  }
  return faults;
}

async function judged(db: Statements, judges: readonly Judge[], most: number): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { prefix, judge } of judges) {
    const rows = await db.rows<Omit<Holding, 'balance'> & { balance: string }>(
      `select name as account, unit, class, case when class in ('held', 'spent') then -balance else balance end as balance
       from account where starts_with(name, $1) and balance <> 0`,
      [prefix],
    );
    const holdings = rows.map((row) => ({ ...row, balance: BigInt(row.balance) }));
    faults.push(...(await judge(db, holdings)).slice(0, most));
  }
  return faults;
}
